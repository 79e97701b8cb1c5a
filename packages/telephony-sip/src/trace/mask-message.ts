import { headerOf, type SipMessage } from '../message/message.ts'

/** What stands in place of what is left out. */
const MASK = '…'

/** Headers that show how a call goes, and name people only in addresses and numbers, which are masked. Of others, only the name is shown. */
const SHOWN: ReadonlySet<string> = new Set(
  (
    'accept allow allow-events call-id contact content-length content-type cseq date diversion event expires from max-forwards ' +
    'min-expires min-se p-asserted-identity p-preferred-identity privacy proxy-require rack reason record-route require retry-after ' +
    'route rseq server session-expires supported to unsupported user-agent via warning'
  ).split(' '),
)
/** Longer values are left out, so that hostile ones cost no time. */
const LONGEST_VALUE = 1000
/** Challenges, of which the nonce is left out. */
const CHALLENGES: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate'])
const SHOWN_OF_CHALLENGE = /\b(?:realm|algorithm|qop|stale)=(?:"[^"]*"|[^\s,]+)/gi

/** Names before an address, in quotes or not. */
const DISPLAY_NAME = /(?:"(?:[^"\\]|\\.)*"|[^<",;:]+?)\s*(?=<)/g
/** The part before the host of an address, with a password if there is one. */
const USER_PART = /\b(?<scheme>sips?:)(?<user>[^@\s<>;,"]+)@/gi
/** What can be a phone number. */
const NUMBER = /\+?\d(?:-?\d){6,}/g
/** Of a number, its country code at most. */
const SHOWN_DIGITS = 3

const maskNumber = (number: string): string =>
  `${number.startsWith('+') ? '+' : ''}${number.replaceAll(/\D/g, '').slice(0, SHOWN_DIGITS)}${MASK}`

const maskUser = (user: string): string => (/^\+?\d{7}/.test(user) ? maskNumber(user) : MASK)

/** Leaves of each number what tells a country: `+977…`. */
const maskNumbers = (text: string): string => text.replaceAll(NUMBER, maskNumber)

const maskText = (text: string): string =>
  maskNumbers(
    text
      .replaceAll(USER_PART, (_all, scheme: string, user: string) => `${scheme}${maskUser(user)}@`)
      .replaceAll(DISPLAY_NAME, (name) => (name.trim() === '' ? name : `"${MASK}" `)),
  )

function maskHeader(name: string, value: string): string {
  if (CHALLENGES.has(name))
    return `Digest ${(value.match(SHOWN_OF_CHALLENGE) ?? []).map(maskNumbers).join(', ')}`
  return SHOWN.has(name) ? maskText(value) : MASK
}

/** Lines of a session description that tell about the media. Keys and names are not among them. */
const SHOWN_OF_SDP =
  /^(?:v=0|c=IN IP[46] [\da-fA-F.:]+|m=.*|b=.*|t=.*|a=(?:rtpmap|fmtp|ptime|maxptime|rtcp|rtcp-mux|sendrecv|sendonly|recvonly|inactive|setup)\b.*)$/
const CRYPTO = /^a=crypto:(?<tag>\d{1,9}) (?<suite>[A-Z\d_]+)/

function maskSdpLine(line: string): string[] {
  const { tag, suite } = CRYPTO.exec(line)?.groups ?? {}
  if (tag !== undefined) return [`a=crypto:${tag} ${suite} ${MASK}`]
  return line.length <= LONGEST_VALUE && SHOWN_OF_SDP.test(line) ? [maskNumbers(line)] : []
}

function maskBody(message: SipMessage): string[] {
  const { body } = message
  if (body.length === 0) return []
  const type = headerOf(message, 'content-type')?.toLowerCase() ?? ''
  if (!type.startsWith('application/sdp')) return ['', `(${body.length} bytes)`]
  const text = new TextDecoder().decode(body)
  return ['', ...text.split(/\r?\n/).flatMap(maskSdpLine)]
}

/**
 * Returns a message as lines of text, without what tells who calls whom or lets anybody in: of numbers three digits at most, no users,
 * names, no credentials and nonces, no keys of media, and of bodies only what describes media.
 */
export function maskMessage(message: SipMessage): string[] {
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri.length > LONGEST_VALUE ? MASK : maskText(message.uri)} SIP/2.0`
      : `SIP/2.0 ${message.status} ${maskNumbers(message.reason)}`
  const headers = message.headers.map(([name, value]) => `${maskNumbers(name)}: ${maskHeader(name, value)}`)
  return [start, ...headers, ...maskBody(message)]
}
