import { interpret } from './interpret.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { SipMessage } from './message.ts'
import { readHead, statedLengthOf, type Head } from './read-head.ts'
import { refuse } from './refuse.ts'
import { SipParseError } from './sip-parse-error.ts'

const CR = 13
const LF = 10

/** Returns where the empty line that ends a head starts, searching from `from`; -1 if there is none before `to`. */
export const findHeadEnd = (bytes: Uint8Array, from: number, to: number): number => {
  for (let index = from; index + 3 < to; index++) {
    const ends =
      bytes[index] === CR && bytes[index + 1] === LF && bytes[index + 2] === CR && bytes[index + 3] === LF
    if (ends) return index
  }
  return -1
}

/** Length of the empty line, with the line end before it. */
export const HEAD_END_BYTES = 4

const bodyLengthOf = (head: Head, available: number): number => {
  try {
    const length = statedLengthOf(head) ?? available
    if (length > available) throw new SipParseError('truncated')
    return length
  } catch (error) {
    throw error instanceof SipParseError ? refuse(error.code, head) : error
  }
}

/**
 * Parses one datagram. Ignores line ends before the message, and octets after its Content-Length (7.5, 18.3).
 * In the result, header names are lower case and never compact, list headers have one entry a value, continuation lines are joined, and
 * Content-Length is left out. Via, From, To, Call-ID, CSeq, Contact, Route, Record-Route and Max-Forwards follow their grammar.
 * @throws SipParseError
 */
export const parseMessage = (bytes: Uint8Array): SipMessage => {
  if (bytes.length > MAX_MESSAGE_BYTES) throw new SipParseError('too_large')
  let start = 0
  while (bytes[start] === CR || bytes[start] === LF) start++
  if (start === bytes.length) throw new SipParseError('empty')
  const headEnd = findHeadEnd(bytes, start, bytes.length)
  const head = readHead(bytes.subarray(start, headEnd < 0 ? bytes.length : headEnd))
  if (headEnd < 0) throw refuse('truncated', head)
  const bodyStart = headEnd + HEAD_END_BYTES
  const bodyLength = bodyLengthOf(head, bytes.length - bodyStart)
  // A copy, because the caller may reuse its buffer.
  return interpret(head, new Uint8Array(bytes.subarray(bodyStart, bodyStart + bodyLength)))
}
