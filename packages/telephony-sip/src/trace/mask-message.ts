import { headerOf, type SipMessage } from '../message/message.ts'
import { LONGEST_VALUE, MASK, maskNumbers, showIf } from './mask.ts'
import { maskAddress, maskUri, maskVia } from './mask-address.ts'
import { maskSdp } from './mask-sdp.ts'

const MOST_HEADERS = 100
/** Longest body that is looked into. */
const LONGEST_BODY_BYTES = 16_384

/** Words and figures that the protocol has, without any free text. */
const WORDS = /^[\w ,;=/.+*()-]*$/
const CALL_ID = /^[\w.@:[\]+~!*-]{1,200}$/

type Show = (value: string) => string
const words: Show = (value) => showIf(WORDS, value)

const SHOWN: Readonly<Record<string, Show>> = {
  via: maskVia,
  ...Object.fromEntries(
    'contact diversion from p-asserted-identity p-preferred-identity record-route route to'
      .split(' ')
      .map((name) => [name, maskAddress]),
  ),
  'call-id': (value) => showIf(CALL_ID, value),
  ...Object.fromEntries(
    (
      'accept allow allow-events content-length content-type cseq event expires max-forwards min-expires min-se privacy proxy-require ' +
      'rack require retry-after rseq server session-expires supported unsupported user-agent'
    )
      .split(' ')
      .map((name) => [name, words]),
  ),
  reason: maskReason,
  warning: maskWarning,
  'www-authenticate': maskChallenge,
  'proxy-authenticate': maskChallenge,
}

/** RFC 3326: protocol, cause and text. */
function maskReason(value: string): string {
  const { protocol, cause, text } =
    /^(?<protocol>[\w.]{1,16}) ?; ?cause=(?<cause>\d{1,3})(?:; ?text="(?<text>[^"]*)")?$/i.exec(value)
      ?.groups ?? {}
  if (protocol === undefined) return MASK
  return `${protocol};cause=${cause}${text === undefined ? '' : `;text="${maskNumbers(text)}"`}`
}

/** RFC 3261, 20.43: a code, who warns, and a text. */
function maskWarning(value: string): string {
  const { code, text } = /^(?<code>\d{3}) [\w.:-]{1,100} "(?<text>[^"]*)"$/.exec(value)?.groups ?? {}
  return code === undefined ? MASK : `${code} ${MASK} "${maskNumbers(text ?? '')}"`
}

/** Of a challenge, all but what answers are made of. */
function maskChallenge(value: string): string {
  if (value.length > LONGEST_VALUE) return MASK
  const shown = value.match(/\b(?:realm="[\w.@ -]*"|algorithm=[\w-]+|qop="[\w,-]*"|stale=\w+)/gi) ?? []
  return `Digest ${shown.map(maskNumbers).join(', ')}`
}

const showHeader = ([name, value]: SipMessage['headers'][number]): string =>
  `${showIf(/^[a-z-]{1,40}$/, name)}: ${(Object.hasOwn(SHOWN, name) ? SHOWN[name] : undefined)?.(value) ?? MASK}`

function maskBody(message: SipMessage): string[] {
  const { body } = message
  if (body.length === 0) return []
  const type = headerOf(message, 'content-type')?.toLowerCase() ?? ''
  if (!type.startsWith('application/sdp') || body.length > LONGEST_BODY_BYTES)
    return ['', `(${body.length} bytes)`]
  return ['', ...maskSdp(new TextDecoder().decode(body))]
}

/**
 * Returns a message as lines of text, without what tells who calls whom or lets anybody in. Shows only what is known to say how a call goes, in
 * the form that it must have: of numbers three digits at most, no users, names, passwords, credentials and nonces, no keys of media.
 */
export function maskMessage(message: SipMessage): string[] {
  const start =
    message.kind === 'request'
      ? `${showIf(/^[A-Z]{1,20}$/, message.method)} ${maskUri(message.uri)} SIP/2.0`
      : `SIP/2.0 ${message.status} ${maskNumbers(message.reason)}`
  const headers = message.headers.slice(0, MOST_HEADERS).map(showHeader)
  return [start, ...headers, ...maskBody(message)]
}
