import { parseHostPort, serializeHostPort } from './host-port.ts'
import type { Parameters } from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'

/** A `sip:` or `sips:` URI (RFC 3261, 19.1). Escapes are resolved in every part. */
export interface SipUri {
  readonly scheme: 'sip' | 'sips'
  readonly user?: string
  readonly password?: string
  /** Name or address, IPv6 without brackets. */
  readonly host: string
  readonly port?: number
  readonly parameters: Parameters
  /** After the question mark: header fields for a request made from the URI. */
  readonly headers: Parameters
}

/** A `tel:` URI (RFC 3966). */
export interface TelUri {
  readonly scheme: 'tel'
  /** Without visual separators: `+9779812345678`, or a local number with its `phone-context` among the parameters. */
  readonly number: string
  readonly parameters: Parameters
}

/**
 * Printable characters other than delimiters around URIs. Wider than the grammar of each part, because a peer's Contact must not end a
 * call over a `#` or `=` that should have been escaped.
 */
const PART = /^(?:[!#$&-;=?A-~]|%[0-9A-Fa-f]{2})+$/
const TEL_NUMBER = /^(?:\+[\d.()-]+|[0-9A-Fa-f*#.()-]+)$/

const unescapePart = (text: string): string => {
  if (!PART.test(text)) throw new SipParseError('malformed_uri')
  try {
    return decodeURIComponent(text)
  } catch {
    // Escaped octets that are not UTF-8, the only character set of SIP (RFC 3261, section 7).
    throw new SipParseError('malformed_uri')
  }
}

const parsePair = (text: string): readonly [string, string] => {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (name === '') throw new SipParseError('malformed_uri')
  const value = equals < 0 ? '' : text.slice(equals + 1)
  return [unescapePart(name).toLowerCase(), value === '' ? '' : unescapePart(value)]
}

const parseUserInfo = (text: string): Pick<SipUri, 'user' | 'password'> => {
  const colon = text.indexOf(':')
  const user = unescapePart(colon < 0 ? text : text.slice(0, colon))
  return colon < 0 ? { user } : { user, password: unescapePart(text.slice(colon + 1)) }
}

const parseSip = (scheme: 'sip' | 'sips', text: string): SipUri => {
  // An `@` elsewhere must be escaped, so that the first ends the user, which may itself hold `;` and `?`.
  const at = text.indexOf('@')
  const userInfo = at < 0 ? {} : parseUserInfo(text.slice(0, at))
  const afterUser = text.slice(at + 1)
  const question = afterUser.indexOf('?')
  const [hostPort = '', ...parameters] = (question < 0 ? afterUser : afterUser.slice(0, question)).split(';')
  const target = /\s/.test(hostPort) ? undefined : parseHostPort(hostPort)
  if (target === undefined) throw new SipParseError('malformed_uri')
  return {
    scheme,
    ...userInfo,
    ...target,
    parameters: parameters.map((parameter) => parsePair(parameter)),
    headers:
      question < 0
        ? []
        : afterUser
            .slice(question + 1)
            .split('&')
            .map((header) => parsePair(header)),
  }
}

const parseTel = (text: string): TelUri => {
  const [written = '', ...parameters] = text.split(';')
  const number = written.replaceAll(/[.()-]/g, '')
  if (!TEL_NUMBER.test(written) || number === '' || number === '+') throw new SipParseError('malformed_uri')
  return {
    scheme: 'tel',
    number,
    parameters: parameters.map((parameter) => parsePair(parameter)),
  }
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/

const schemeOf = (uri: string): string => {
  const scheme = uri.slice(0, Math.max(0, uri.indexOf(':')))
  if (!SCHEME.test(scheme)) throw new SipParseError('malformed_uri')
  return scheme.toLowerCase()
}

/**
 * Reads a `sip:`, `sips:` or `tel:` URI. Returns undefined for another scheme.
 * @throws SipParseError `malformed_uri`
 */
export const parseUri = (uri: string): SipUri | TelUri | undefined => {
  const scheme = schemeOf(uri)
  const rest = uri.slice(scheme.length + 1)
  switch (scheme) {
    case 'sip':
    case 'sips':
      return parseSip(scheme, rest)
    case 'tel':
      return parseTel(rest)
    default:
      // `absoluteURI`: anything printable, apart from the delimiters around URIs.
      if (!/^[!#-;=?-~]+$/.test(rest)) throw new SipParseError('malformed_uri')
      return undefined
  }
}

/**
 * Reads a `sip:` or `sips:` URI.
 * @throws SipParseError `malformed_uri`, also for other schemes
 */
export const parseSipUri = (uri: string): SipUri => {
  const parsed = parseUri(uri)
  if (parsed === undefined || parsed.scheme === 'tel') throw new SipParseError('malformed_uri')
  return parsed
}

/** Escapes every character that the grammar of a part does not list. @param plain matches one allowed character */
const escapePart = (text: string, plain: RegExp): string =>
  // By code point, because half a surrogate pair cannot be escaped.
  Array.from(text.toWellFormed(), (char) =>
    plain.test(char) ? char : char === '%' ? '%25' : encodeURIComponent(char),
  ).join('')

const USER_CHAR = /^[\w.!~*'()&=+$,;?/-]$/
const PASSWORD_CHAR = /^[\w.!~*'()&=+$,-]$/
const PARAMETER_CHAR = /^[\w.!~*'()[\]/:&+$-]$/
const HEADER_CHAR = /^[\w.!~*'()[\]/?:+$-]$/

const serializePair = ([name, value]: readonly [string, string], plain: RegExp): string =>
  value === '' ? escapePart(name, plain) : `${escapePart(name, plain)}=${escapePart(value, plain)}`

/** Writes a URI, escaping what its parts do not allow. */
export const serializeUri = (uri: SipUri | TelUri): string => {
  const parameters = uri.parameters.map((pair) => `;${serializePair(pair, PARAMETER_CHAR)}`).join('')
  if (uri.scheme === 'tel') return `tel:${uri.number}${parameters}`
  const password = uri.password === undefined ? '' : `:${escapePart(uri.password, PASSWORD_CHAR)}`
  const user = uri.user === undefined ? '' : `${escapePart(uri.user, USER_CHAR)}${password}@`
  const headers = uri.headers.map(
    ([name, value]) => `${escapePart(name, HEADER_CHAR)}=${escapePart(value, HEADER_CHAR)}`,
  )
  const query = headers.length === 0 ? '' : `?${headers.join('&')}`
  return `${uri.scheme}:${user}${serializeHostPort(uri)}${parameters}${query}`
}
