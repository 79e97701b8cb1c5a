import { endOfQuoted, quote, trimSpaces, unquote } from './grammar.ts'
import { parameterOf, parseParameters, serializeParameters, type Parameters } from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'
import { parseUri } from './uri.ts'

/** An address: From, To, Contact, Route and their like (RFC 3261, 20.10). */
export interface NameAddr {
  readonly displayName?: string
  /** As it stands on the line; see `parseUri`. */
  readonly uri: string
  /** Of the header field, not of the URI. */
  readonly parameters: Parameters
}

const malformed = () => new SipParseError('malformed_address')

/** Splits off the display name. Returns the rest, from its `<` on. */
const splitDisplayName = (value: string): readonly [displayName: string | undefined, rest: string] => {
  if (value.startsWith('"')) {
    const end = endOfQuoted(value, 0)
    if (end < 0) throw malformed()
    return [unquote(value.slice(0, end)), trimSpaces(value.slice(end))]
  }
  const bracket = value.indexOf('<')
  // Spaces, commas and the like need quotes, but are often sent without: RFC 4475, 3.1.2.15 lets us infer them.
  const displayName = trimSpaces(value.slice(0, bracket))
  if (displayName.includes('"')) throw malformed()
  return [displayName === '' ? undefined : displayName, value.slice(bracket)]
}

/** Finds where parameters start in an address without brackets. Such a URI has no parameters of its own: 20.10. */
const parseBare = (value: string): NameAddr => {
  const semicolon = value.indexOf(';')
  const uri = trimSpaces(semicolon < 0 ? value : value.slice(0, semicolon))
  // A URI with one of these must stand in brackets.
  if (/[?,]/.test(uri)) throw malformed()
  parseUri(uri)
  return { uri, parameters: semicolon < 0 ? [] : parseParameters(value.slice(semicolon)) }
}

/**
 * Reads one address, with or without brackets.
 * @throws SipParseError `malformed_address`, `malformed_uri` or `malformed_header`
 */
export const parseNameAddr = (value: string): NameAddr => {
  const trimmed = trimSpaces(value)
  const bracket = trimmed.indexOf('<')
  const semicolon = trimmed.indexOf(';')
  const isBare = bracket < 0 || (semicolon >= 0 && semicolon < bracket)
  if (isBare && !trimmed.startsWith('"')) return parseBare(trimmed)
  const [displayName, rest] = splitDisplayName(trimmed)
  const end = rest.indexOf('>')
  if (!rest.startsWith('<') || end < 0) throw malformed()
  const uri = rest.slice(1, end)
  parseUri(uri)
  return {
    ...(displayName !== undefined && { displayName }),
    uri,
    parameters: parseParameters(trimSpaces(rest.slice(end + 1))),
  }
}

/** Writes an address in brackets, so that parameters of the URI stay its own. */
export const serializeNameAddr = ({ displayName, uri, parameters }: NameAddr): string =>
  `${displayName === undefined ? '' : `${quote(displayName)} `}<${uri}>${serializeParameters(parameters)}`

/** Returns the tag of a From or To value. @throws SipParseError if it is malformed, which those of a parsed message never are */
export const tagOf = (value: string): string | undefined => parameterOf(parseNameAddr(value), 'tag')
