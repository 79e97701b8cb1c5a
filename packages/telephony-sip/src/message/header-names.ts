/** Compact forms, from the IANA registry of SIP header fields. */
const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ['a', 'accept-contact'],
  ['b', 'referred-by'],
  ['c', 'content-type'],
  ['d', 'request-disposition'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['j', 'reject-contact'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['n', 'identity-info'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['s', 'subject'],
  ['t', 'to'],
  ['u', 'allow-events'],
  ['v', 'via'],
  ['x', 'session-expires'],
  ['y', 'identity'],
])

/** Returns the lower-case full name of a header field. @param name as it stands on the line */
export const fullNameOf = (name: string): string => {
  const lower = name.toLowerCase()
  return FULL_NAMES.get(lower) ?? lower
}

/** Header fields whose values may stand on one line, separated by commas. Those of digest are none: 7.3.1. */
const LISTS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'alert-info',
  'allow',
  'allow-events',
  'call-info',
  'contact',
  'content-encoding',
  'content-language',
  'diversion',
  'error-info',
  'history-info',
  'in-reply-to',
  'p-asserted-identity',
  'p-preferred-identity',
  'path',
  'proxy-require',
  'reason',
  'record-route',
  'require',
  'route',
  'service-route',
  'supported',
  'unsupported',
  'via',
  'warning',
])

export const isList = (name: string): boolean => LISTS.has(name)

const CANONICAL: ReadonlyMap<string, string> = new Map([
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['mime-version', 'MIME-Version'],
  ['min-se', 'Min-SE'],
  ['rack', 'RAck'],
  ['rseq', 'RSeq'],
  ['sip-etag', 'SIP-ETag'],
  ['sip-if-match', 'SIP-If-Match'],
  ['www-authenticate', 'WWW-Authenticate'],
])

/** Returns the usual spelling of a header field's name. @param name lower case */
export const canonicalNameOf = (name: string): string =>
  CANONICAL.get(name) ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
