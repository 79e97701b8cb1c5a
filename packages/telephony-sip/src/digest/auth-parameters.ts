import { endOfQuoted, isToken, splitOutsideQuotes, trimSpaces, unquote } from '../message/grammar.ts'
import { SipParseError } from '../message/sip-parse-error.ts'

/** A scheme and its parameters. Names are lower case, quotes and escapes are resolved. */
export interface AuthValue {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

const readParameter = (text: string): readonly [string, string] => {
  const equals = text.indexOf('=')
  const name = trimSpaces(text.slice(0, Math.max(0, equals))).toLowerCase()
  const value = trimSpaces(text.slice(equals + 1))
  if (!isToken(name)) throw new SipParseError('malformed_header')
  if (!value.startsWith('"')) return [name, value]
  if (endOfQuoted(value, 0) !== value.length) throw new SipParseError('malformed_header')
  return [name, unquote(value)]
}

/** Splits a scheme from the parameter after it. Returns undefined for a parameter alone, whose name may precede spaces, too. */
const splitScheme = (text: string): readonly [scheme: string, parameter: string] | undefined => {
  const space = text.search(/[ \t]/)
  if (space < 0) return undefined
  const rest = trimSpaces(text.slice(space))
  const scheme = text.slice(0, space)
  return isToken(scheme) && !rest.startsWith('=') ? [scheme, rest] : undefined
}

/**
 * Reads a value of WWW-Authenticate, Authorization or their proxy forms: usually one scheme, but HTTP's grammar allows several.
 * @throws SipParseError `malformed_header`
 */
export const parseAuthValues = (value: string): readonly AuthValue[] => {
  const values: { readonly scheme: string; readonly parameters: Map<string, string> }[] = []
  for (const part of splitOutsideQuotes(value, ',')) {
    // Lists of HTTP may have empty elements (RFC 9110, 5.6.1.2): a trailing comma is the common one.
    if (part === '') continue
    const split = splitScheme(part)
    if (split !== undefined) values.push({ scheme: split[0], parameters: new Map() })
    const [name, text] = readParameter(split?.[1] ?? part)
    const parameters = values.at(-1)?.parameters
    // A parameter may appear once (RFC 7235, section 2.1): with two, each end could read another.
    if (parameters === undefined || parameters.has(name)) throw new SipParseError('malformed_header')
    parameters.set(name, text)
  }
  return values
}
