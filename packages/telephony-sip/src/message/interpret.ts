import { parseCSeq } from './cseq.ts'
import { isToken, readNumber } from './grammar.ts'
import { MAX_LINE_LENGTH } from './limits.ts'
import { headersOf, type Headers, type SipMessage } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import type { Head } from './read-head.ts'
import { refuse } from './refuse.ts'
import { SipParseError } from './sip-parse-error.ts'
import { parseUri } from './uri.ts'
import { parseVia } from './via.ts'

type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly uri: string }
  | { readonly kind: 'response'; readonly status: number; readonly reason: string }

const VERSION = /^SIP\/2\.0$/i
const STATUS_LINE = /^(\S+) ([1-6]\d\d)(?: (.*))?$/

const readStatusLine = (line: string): StartLine => {
  const match = STATUS_LINE.exec(line)
  if (match === null) throw new SipParseError('malformed_start_line')
  const [, version = '', status = '', reason = ''] = match
  if (!VERSION.test(version)) throw new SipParseError('unsupported_version')
  return { kind: 'response', status: Number(status), reason }
}

const readRequestLine = (line: string): StartLine => {
  // Exactly one space between the parts, none after (RFC 3261, 7.1; RFC 4475, 3.1.2.8 to 3.1.2.10).
  const [method = '', uri = '', version = '', ...others] = line.split(' ')
  if (!isToken(method) || others.length > 0) throw new SipParseError('malformed_start_line')
  if (!VERSION.test(version)) {
    throw new SipParseError(/^SIP\/\d+\.\d+$/i.test(version) ? 'unsupported_version' : 'malformed_start_line')
  }
  const parsed = parseUri(uri)
  // Headers belong in URIs that requests are made from, never on the line (19.1.1, table 1).
  const hasHeaders = parsed !== undefined && parsed.scheme !== 'tel' && parsed.headers.length > 0
  if (hasHeaders) throw new SipParseError('malformed_uri')
  return { kind: 'request', method, uri }
}

const readStartLine = (line: string): StartLine => {
  if (line.length > MAX_LINE_LENGTH) throw new SipParseError('line_too_long')
  if (/[\r\n]/.test(line)) throw new SipParseError('malformed_start_line')
  return /^SIP\//i.test(line) ? readStatusLine(line) : readRequestLine(line)
}

const onlyValueOf = (head: Head, name: string): string => {
  const [value, ...others] = headersOf(head, name)
  if (value === undefined || value === '') throw new SipParseError('missing_header')
  if (others.length > 0) throw new SipParseError('repeated_header')
  return value
}

const ADDRESSES: ReadonlySet<string> = new Set(['contact', 'route', 'record-route'])

/** Highest Max-Forwards (20.22). */
const MAX_MAX_FORWARDS = 255

/** Checks the fields that every layer relies on, so that their parsers cannot fail later. */
const checkHeaders = (head: Head, startLine: StartLine): void => {
  const [via] = headersOf(head, 'via')
  if (via === undefined) throw new SipParseError('missing_header')
  parseVia(via)
  const cseq = parseCSeq(onlyValueOf(head, 'cseq'))
  if (startLine.kind === 'request' && cseq.method !== startLine.method) {
    throw new SipParseError('method_mismatch')
  }
  if (/\s/.test(onlyValueOf(head, 'call-id'))) throw new SipParseError('malformed_header')
  parseNameAddr(onlyValueOf(head, 'from'))
  parseNameAddr(onlyValueOf(head, 'to'))
  for (const [name, value] of head.headers) {
    // The star of a REGISTER that removes all bindings (10.2.2).
    const isStar = name === 'contact' && value === '*'
    if (ADDRESSES.has(name) && !isStar) parseNameAddr(value)
  }
  if (headersOf(head, 'max-forwards').length === 0) return
  const maxForwards = readNumber(onlyValueOf(head, 'max-forwards'), MAX_MAX_FORWARDS)
  if (maxForwards === undefined) throw new SipParseError('malformed_number')
}

/** Content-Length only frames: the body says it already, and a serializer computes it. */
const withoutLength = (headers: Headers): Headers => headers.filter(([name]) => name !== 'content-length')

/**
 * Turns a head and its body into a message.
 * @throws SipParseError with a `refusal` if the message is a request that can be answered
 */
export const interpret = (head: Head, body: Uint8Array): SipMessage => {
  try {
    const startLine = readStartLine(head.startLine)
    if (head.problem !== undefined) throw head.problem
    checkHeaders(head, startLine)
    return { ...startLine, headers: withoutLength(head.headers), body }
  } catch (error) {
    throw error instanceof SipParseError ? refuse(error.code, head) : error
  }
}
