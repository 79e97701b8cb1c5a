import { endOfQuoted, isToken, quote, splitOutsideQuotes, trimSpaces, unquote } from './grammar.ts'
import { SipParseError } from './sip-parse-error.ts'

/** Parameters in order. Names are lower case. A parameter without a value, such as `lr`, has an empty one. */
export type Parameters = readonly (readonly [name: string, value: string])[]

/** Returns the value of a parameter, empty if it stands alone; undefined if there is no such parameter. @param name lower case */
export const parameterOf = (
  { parameters }: { readonly parameters: Parameters },
  name: string,
): string | undefined => parameters.find(([key]) => key === name)?.[1]

/** Returns the parameters with one set: in place of the first of its name, otherwise at the end. Drops others of its name. */
export const withParameter = (parameters: Parameters, name: string, value: string): Parameters => {
  const first = parameters.findIndex(([key]) => key === name)
  const pair = [name, value] as const
  if (first < 0) return [...parameters, pair]
  return parameters.with(first, pair).filter(([key], index) => index === first || key !== name)
}

const UNQUOTED_VALUE = /^[^\s"<>;,]+$/

const parseParameter = (text: string): readonly [string, string] => {
  const equals = text.indexOf('=')
  const name = trimSpaces(equals < 0 ? text : text.slice(0, equals)).toLowerCase()
  if (!isToken(name)) throw new SipParseError('malformed_header')
  if (equals < 0) return [name, '']
  const value = trimSpaces(text.slice(equals + 1))
  if (value.startsWith('"')) {
    if (endOfQuoted(value, 0) !== value.length) throw new SipParseError('malformed_header')
    return [name, unquote(value)]
  }
  if (value !== '' && !UNQUOTED_VALUE.test(value)) throw new SipParseError('malformed_header')
  return [name, value]
}

/**
 * Reads header parameters: `*( SEMI generic-param )`.
 * @param text empty, or starting with a semicolon
 * @throws SipParseError `malformed_header`
 */
export const parseParameters = (text: string): Parameters => {
  const [before, ...parts] = splitOutsideQuotes(text, ';')
  if (before !== '') throw new SipParseError('malformed_header')
  return parts.map(parseParameter)
}

/** Written without quotes: tokens, and addresses such as that of `received`. */
const PLAIN_VALUE = /^[\w.!%*+`'~:[\]-]+$/

/** Writes header parameters, each with its semicolon. */
export const serializeParameters = (parameters: Parameters): string =>
  parameters
    .map(([name, value]) =>
      value === '' ? `;${name}` : `;${name}=${PLAIN_VALUE.test(value) ? value : quote(value)}`,
    )
    .join('')
