import { isToken, readNumber, splitOutsideQuotes, trimSpaces } from './grammar.ts'
import { fullNameOf, isList } from './header-names.ts'
import { MAX_HEADERS, MAX_LINE_LENGTH, MAX_MESSAGE_BYTES } from './limits.ts'
import type { Headers } from './message.ts'
import { SipParseError } from './sip-parse-error.ts'

/** A start line and header fields, not yet checked for their meaning. */
export interface Head {
  readonly startLine: string
  /** All that could be read, even if `problem` is set. */
  readonly headers: Headers
  /** The first field that broke the grammar or a limit. Kept, not thrown, because a refusal needs the other fields. */
  readonly problem: SipParseError | undefined
}

// A byte order mark is text like any other in a message.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Joins continuation lines (7.3.1). Leaves lone carriage returns and line feeds for the caller to find. */
const unfold = (text: string): string[] => {
  const lines: string[][] = []
  for (const line of text.split('\r\n')) {
    const last = lines.at(-1)
    if (last !== undefined && /^[ \t]/.test(line)) last.push(trimSpaces(line))
    else lines.push([line])
  }
  return lines.map((parts) => parts.join(' '))
}

const readField = (line: string): Headers => {
  if (line.length > MAX_LINE_LENGTH) throw new SipParseError('line_too_long')
  // A lone CR or LF ends a line for some parsers and not for others, which would let a field hide in another.
  if (/[\r\n]/.test(line)) throw new SipParseError('malformed_header')
  const colon = line.indexOf(':')
  const name = trimSpaces(line.slice(0, Math.max(0, colon)))
  if (!isToken(name)) throw new SipParseError('malformed_header')
  const fullName = fullNameOf(name)
  const value = trimSpaces(line.slice(colon + 1))
  return (isList(fullName) ? splitOutsideQuotes(value, ',') : [value]).map((part) => [fullName, part])
}

/** Reads a head, without the empty line that ends it. */
export const readHead = (bytes: Uint8Array): Head => {
  const [startLine = '', ...lines] = unfold(decoder.decode(bytes))
  const headers: (readonly [string, string])[] = []
  let problem: SipParseError | undefined
  for (const line of lines) {
    try {
      const fields = readField(line)
      if (headers.length + fields.length > MAX_HEADERS) {
        problem ??= new SipParseError('too_many_headers')
        break
      }
      headers.push(...fields)
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error
      problem ??= error
    }
  }
  return { startLine, headers, problem }
}

/**
 * Returns the length that a head states for its body; undefined if it states none.
 * @throws SipParseError `malformed_content_length`, `repeated_header` or `too_large`
 */
export const statedLengthOf = ({ headers }: Head): number | undefined => {
  const [value, ...others] = headers.filter(([name]) => name === 'content-length').map(([, text]) => text)
  if (value === undefined) return undefined
  if (others.length > 0) throw new SipParseError('repeated_header')
  const length = readNumber(value, Number.MAX_SAFE_INTEGER)
  if (length === undefined) throw new SipParseError('malformed_content_length')
  if (length > MAX_MESSAGE_BYTES) throw new SipParseError('too_large')
  return length
}
