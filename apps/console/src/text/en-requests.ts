import type { ApiError } from '@vaani/client'

/** What an error code is called, why requests are refused with it, and what helps. */
export type Meanings = Readonly<Record<Exclude<ApiError['code'], 'unrecognized'>, Meaning>>
export interface Meaning {
  name: string
  cause: string
  cure: string
}

const codes: Meanings = {
  invalid_request: {
    name: 'Invalid request',
    cause: 'A field is missing, malformed or unknown.',
    cure: 'Correct the field that the answer names; its details list every problem.',
  },
  text_too_long: {
    name: 'Text too long',
    cause: 'The text has more characters than the route takes, or would sound for too long.',
    cure: 'Split it at sentences, and send the parts one after another.',
  },
  unauthorized: {
    name: 'No valid key',
    cause: 'The key is missing, malformed, unknown or revoked.',
    cure: 'Send a key of this account as Authorization: Bearer.',
  },
  forbidden: {
    name: 'Not allowed',
    cause: 'The key lacks the scope of the route, or the account may not do this.',
    cure: 'Use a key with the scope, or ask the operator about the account.',
  },
  not_found: {
    name: 'Not found',
    cause: 'The account has no such object in this mode.',
    cure: 'Compare the id and the mode of the key: test keys see nothing of live objects.',
  },
  call_not_found: {
    name: 'Call not found',
    cause: 'The account has no such call in this mode.',
    cure: 'Compare the id and the mode of the key: test keys see nothing of live calls.',
  },
  verification_not_found: {
    name: 'Verification not found',
    cause: 'The account has no such verification in this mode, or may not see it.',
    cure: 'Compare the id and the mode of the key.',
  },
  method_not_allowed: {
    name: 'Method not allowed',
    cause: 'The path does not support the method.',
    cure: 'Use a method that the header Allow of the answer lists.',
  },
  request_timeout: {
    name: 'Request too slow',
    cause: 'The whole request did not arrive in time.',
    cure: 'Send it again; large files need a faster connection.',
  },
  idempotency_conflict: {
    name: 'Idempotency key in use',
    cause: 'The Idempotency-Key was used with another body, or the first request with it was still running.',
    cure: 'Use a new key for each thing to do, and the same one only to repeat it.',
  },
  state_conflict: {
    name: 'Not possible in this state',
    cause: 'The object, or the account, is in a state that does not allow this.',
    cure: 'Read the object again, and go on from its present state.',
  },
  payload_too_large: {
    name: 'Body too large',
    cause: 'The body, or a part of it, is over its limit.',
    cure: 'Make it smaller: compress pictures, shorten videos, split texts.',
  },
  unsupported_media_type: {
    name: 'Content type not supported',
    cause: 'The route does not take this Content-Type.',
    cure: 'Send JSON, or a form if the route takes files, without compression.',
  },
  invalid_phone: {
    name: 'Invalid phone number',
    cause: 'The number is not in the international form.',
    cure: 'Send it as E.164, with + and the country code.',
  },
  do_not_call: {
    name: 'Not to be called',
    cause: 'The number is on the do-not-call list of the account or of the server.',
    cure: 'Strike it from your contacts. Take it off the list only if its owner wishes to be called.',
  },
  incorrect_code: {
    name: 'Incorrect code',
    cause: 'The code is not the one that the verification call said.',
    cure: 'Enter the code of the latest call. After five wrong codes, start another verification.',
  },
  number_barred: {
    name: 'Number never dialled',
    cause: 'It is an emergency number, a short code, at a premium rate, a pager or a satellite.',
    cure: 'Strike it from your contacts, and call the person at an ordinary number.',
  },
  outside_calling_hours: {
    name: 'Not at this hour',
    cause:
      'Where the number belongs, people are not to be called at the time at which the call is due, or its time zone is not known.',
    cure: 'Schedule the call for the time that the message names.',
  },
  call_cap_reached: {
    name: 'Used up for today',
    cause:
      'The minutes, the money or the attempts at this number are used up that the account may have on phone lines in a day of UTC.',
    cure: 'Schedule the call for another day, or ask the operator of the server for more. The page on limits shows what is used.',
  },
  voice_not_found: {
    name: 'Voice not found',
    cause: 'There is no such voice for this language in the account.',
    cure: 'Choose one that the list of voices offers.',
  },
  missing_artifact: {
    name: 'File missing',
    cause: 'A picture or the video is missing, empty or misnamed.',
    cure: 'Send every file that the route requires, under its name.',
  },
  invalid_signature: {
    name: 'Wrong signature',
    cause: 'The signature does not match the body.',
    cure: 'Sign the bytes that are sent, with the secret of this account.',
  },
  spoof_detected: {
    name: 'Picture of a screen or a print',
    cause: 'The media looks as if it was taken of a screen or a print.',
    cure: 'Let the person take it again, of the document itself.',
  },
  media_unreadable: {
    name: 'Media not readable',
    cause: 'The media is damaged, of another type than it says, or outside its bounds.',
    cure: 'Open the file to see whether it is whole, and send it again.',
  },
  rate_limit_exceeded: {
    name: 'Too many requests',
    cause: 'More requests than the limit of the account allows.',
    cure: 'Wait for the seconds in Retry-After; the client does so by itself. The operator can raise limits.',
  },
  headers_too_large: {
    name: 'Headers too large',
    cause: 'The address and the headers are over their limit.',
    cure: 'Send long values in the body, and fewer cookies.',
  },
  internal_error: {
    name: 'Server error',
    cause: 'The server failed.',
    cure: 'Send the request again. If it stays, give the operator the request id.',
  },
  service_unavailable: {
    name: 'Not available now',
    cause: 'The server could not do this at the moment.',
    cure: 'Wait for the seconds in Retry-After. If it stays, the page Home shows what does not work.',
  },
}

/** What the console says in English about requests that were refused. */
export const enRequests = {
  title: 'Requests',
  hint: 'Requests that were refused, for a week. They appear after a second.',
  search: 'Request id, route, key, status or error code',
  none: 'Nothing was refused.',
  noneHint: 'Requests that are answered with an error appear here, with its cause and what helps.',
  filters: 'Filters',
  remove: (filter: string) => `Remove ${filter}`,
  code: 'Error',
  status: 'Status',
  route: 'Route',
  key: 'Key',
  created: 'When',
  request: 'Request',
  param: 'Field',
  duration: 'Took',
  cause: 'Cause',
  cure: 'What helps',
  omitted: 'Not listed',
  omittedHint: (count: number) =>
    `${count} more were refused in the same minute, which are too many to list.`,
  lastDay: 'Errors of the last day',
  noneLastDay: 'Nothing was refused in the last 24 hours.',
  count: 'Count',
  last: 'Last',
  all: 'All refused requests',
  omittedLastDay: (count: number) => `${count} more were too many to list and to count by error.`,
  newestOnly: (count: number) => `Only the newest ${count} are counted.`,
  codes,
}
