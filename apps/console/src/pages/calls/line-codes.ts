/** Reason phrases of refusals (RFC 3261, section 21; 607: RFC 8197; 608: RFC 8688). Operators search for them, so they are not translated. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [302, 'Moved Temporarily'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [408, 'Request Timeout'],
  [410, 'Gone'],
  [415, 'Unsupported Media Type'],
  [420, 'Bad Extension'],
  [422, 'Session Interval Too Small'],
  [480, 'Temporarily Unavailable'],
  [481, 'Call/Transaction Does Not Exist'],
  [482, 'Loop Detected'],
  [483, 'Too Many Hops'],
  [484, 'Address Incomplete'],
  [486, 'Busy Here'],
  [487, 'Request Terminated'],
  [488, 'Not Acceptable Here'],
  [500, 'Server Internal Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Server Time-out'],
  [600, 'Busy Everywhere'],
  [603, 'Decline'],
  [604, 'Does Not Exist Anywhere'],
  [606, 'Not Acceptable'],
  [607, 'Unwanted'],
  [608, 'Rejected'],
])

/** Names of the causes that networks give most (ITU-T Q.850, table 1). */
const CAUSES: ReadonlyMap<number, string> = new Map([
  [1, 'Unallocated number'],
  [3, 'No route to destination'],
  [16, 'Normal call clearing'],
  [17, 'User busy'],
  [18, 'No user responding'],
  [19, 'No answer from user'],
  [20, 'Subscriber absent'],
  [21, 'Call rejected'],
  [22, 'Number changed'],
  [27, 'Destination out of order'],
  [28, 'Invalid number format'],
  [31, 'Normal, unspecified'],
  [34, 'No circuit available'],
  [38, 'Network out of order'],
  [41, 'Temporary failure'],
  [42, 'Switching equipment congestion'],
  [47, 'Resource unavailable'],
  [50, 'Requested facility not subscribed'],
  [55, 'Incoming calls barred'],
  [57, 'Bearer capability not authorized'],
  [88, 'Incompatible destination'],
  [102, 'Recovery on timer expiry'],
  [127, 'Interworking, unspecified'],
])

const named = (code: number, names: ReadonlyMap<number, string>): string =>
  [code, names.get(code)].filter((part) => part !== undefined).join(' ')

/** Returns a status as SIP writes it, such as `486 Busy Here`. */
export const statusInWords = (status: number): string => named(status, STATUSES)

/** Returns a cause with its name, such as `17 User busy`. */
export const causeInWords = (cause: number): string => named(cause, CAUSES)

const SATISFACTION = ['best', 'high', 'medium', 'low', 'poor', 'bad'] as const
/** How satisfied listeners are with a call. */
export type Satisfaction = (typeof SATISFACTION)[number]

/** The lowest score of each but the last: ratings of 90, 80, 70, 60 and 50 (ITU-T G.109, table 1; G.107, annex B). */
const LOWEST = [4.34, 4.03, 3.6, 3.1, 2.58]

/** Returns what a mean opinion score means. */
export function satisfactionOf(mos: number): Satisfaction {
  const place = LOWEST.findIndex((lowest) => mos >= lowest)
  return SATISFACTION[place] ?? 'bad'
}
