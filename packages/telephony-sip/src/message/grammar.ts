import { SipParseError } from './sip-parse-error.ts'

const TOKEN = /^[\w.!%*+`'~-]+$/

/** Checks for a token (RFC 3261, 25.1). */
export const isToken = (text: string): boolean => TOKEN.test(text)

const isSpace = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t'

/** Removes spaces and tabs from both ends. Unlike `trim`, it leaves other white space, which is text in SIP. */
export const trimSpaces = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text, start)) start++
  while (end > start && isSpace(text, end - 1)) end--
  return text.slice(start, end)
}

/**
 * Splits at a separator, except inside quoted strings and angle brackets. Trims the parts.
 * @throws SipParseError `malformed_header` if a quoted string does not end
 */
export const splitOutsideQuotes = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = []
  let start = 0
  let within: 'text' | 'quotes' | 'brackets' = 'text'
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (within === 'quotes') {
      if (char === '\\') index++
      else if (char === '"') within = 'text'
    } else if (within === 'brackets') {
      if (char === '>') within = 'text'
    } else if (char === '"') within = 'quotes'
    else if (char === '<') within = 'brackets'
    else if (char === separator) {
      parts.push(trimSpaces(text.slice(start, index)))
      start = index + 1
    }
  }
  if (within === 'quotes') throw new SipParseError('malformed_header')
  parts.push(trimSpaces(text.slice(start)))
  return parts
}

/** Returns the index after the quoted string that starts at `start`, or -1 if it does not end. */
export const endOfQuoted = (text: string, start: number): number => {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index + 1
  }
  return -1
}

/** Returns the text of a quoted string, quotes included in the input, with its escapes resolved. */
export const unquote = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1')

/** Writes a quoted string, escaping quotes and backslashes. */
export const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** Reads a decimal number, leading zeros allowed. Returns undefined if it is none, or exceeds `max`. */
export const readNumber = (text: string, max: number): number | undefined => {
  if (!/^\d+$/.test(text)) return undefined
  const value = Number(text)
  return value <= max ? value : undefined
}
