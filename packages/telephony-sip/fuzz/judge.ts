import { isDeepStrictEqual } from 'node:util'
import { challengesOf } from '../src/digest/challenge.ts'
import { parseAuthValues } from '../src/digest/auth-parameters.ts'
import { buildAck, buildCancel, buildResponse } from '../src/message/build.ts'
import { createMessageReader, type StreamItem } from '../src/message/message-reader.ts'
import { headerOf, headersOf, type SipMessage } from '../src/message/message.ts'
import { parseNameAddr, tagOf } from '../src/message/name-addr.ts'
import {
  readMinSe,
  readRAck,
  readRetryAfter,
  readRSeq,
  readSessionExpires,
} from '../src/message/numeric-headers.ts'
import { parseMessage } from '../src/message/parse-message.ts'
import { q850CauseOf } from '../src/message/reason.ts'
import { serializeMessage, SipSerializeError } from '../src/message/serialize-message.ts'
import { SipParseError, type Refusal, type SipParseErrorCode } from '../src/message/sip-parse-error.ts'
import { parseUri, serializeUri } from '../src/message/uri.ts'
import { parseVia, responseTargetOf, stampReceived } from '../src/message/via.ts'

/** Outcome of parsing one message. */
export type Verdict = 'parsed' | SipParseErrorCode

/** Thrown if the parser breaks a promise. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

const hold = (promise: string, isKept: boolean): void => {
  if (!isKept) throw new BrokenPromise(promise)
}

const SOURCE = { address: '192.0.2.99', port: 5070 }

/** Returns the error of a parser, or the value; passes other errors on. */
const attempt = <T>(parse: () => T): T | SipParseError => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof SipParseError) return error
    throw error
  }
}

const LIMITS: ReadonlySet<string> = new Set(['line_too_long', 'too_large'])

/** Checks that a message survives the wire. Full names, spaces and the noted source may take one at a limit beyond it. */
const readsBack = (message: SipMessage): boolean => {
  try {
    return isDeepStrictEqual(parseMessage(serializeMessage(message)), message)
  } catch (error) {
    if (error instanceof SipParseError || error instanceof SipSerializeError) return LIMITS.has(error.code)
    throw error
  }
}

/** Reads every field as the upper layers do. Fields that `parseMessage` has checked must not fail. */
const readFields = (message: SipMessage): void => {
  const headers = stampReceived(message.headers, SOURCE)
  responseTargetOf(parseVia(headerOf({ headers }, 'via') ?? ''))
  tagOf(headerOf(message, 'from') ?? '')
  tagOf(headerOf(message, 'to') ?? '')
  for (const name of ['contact', 'route', 'record-route']) {
    for (const value of headersOf(message, name)) if (value !== '*') parseNameAddr(value)
  }
  challengesOf(message)
  q850CauseOf(message)
  for (const [name, value] of message.headers) {
    if (name.endsWith('authorization')) attempt(() => parseAuthValues(value))
    for (const read of [readRetryAfter, readSessionExpires, readMinSe, readRSeq, readRAck]) read(value)
  }
  if (message.kind === 'response') return
  const uri = parseUri(message.uri)
  if (uri !== undefined) hold('a URI reads back', isDeepStrictEqual(parseUri(serializeUri(uri)), uri))
  const stamped = { ...message, headers }
  const response = buildResponse(stamped, { status: 487, toTag: 'judge' })
  for (const built of [response, buildAck(stamped, response), buildCancel(stamped)]) {
    hold('what is built from a message reads back', readsBack(built))
  }
}

/** A refusal need not parse, because it may repeat a malformed field, but it holds one field a line. */
const checkRefusal = ({ status, headers }: Refusal): void => {
  const response = buildResponse({ headers: stampReceived(headers, SOURCE) }, { status, toTag: 'judge' })
  try {
    const lines = new TextDecoder().decode(serializeMessage(response)).split('\r\n')
    // The status line, Content-Length, and the empty line with the empty body after it.
    hold('a refusal has one line a field', lines.length === response.headers.length + 4)
  } catch (error) {
    if (!(error instanceof SipSerializeError && LIMITS.has(error.code))) throw error
  }
}

const checkDatagram = (bytes: Uint8Array): Verdict => {
  const parsed = attempt(() => parseMessage(bytes))
  if (parsed instanceof SipParseError) {
    if (parsed.refusal !== undefined) checkRefusal(parsed.refusal)
    return parsed.code
  }
  hold('a message reads back', readsBack(parsed))
  readFields(parsed)
  return 'parsed'
}

const codesOf = (items: readonly StreamItem[]): readonly string[] =>
  items.map((item) => (item.kind === 'malformed' || item.kind === 'broken' ? item.error.code : item.kind))

const checkStream = (bytes: Uint8Array, random: () => number): void => {
  const whole = createMessageReader().push(bytes)
  const reader = createMessageReader()
  const cut = Math.floor(random() * bytes.length)
  const parts = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((chunk) => reader.push(chunk))
  hold('a stream means the same however it is cut', isDeepStrictEqual(codesOf(parts), codesOf(whole)))
}

/**
 * Parses bytes as a datagram and as a stream.
 * @throws BrokenPromise, or whatever a parser threw that is not its own error
 */
export const judge = (bytes: Uint8Array, random: () => number): Verdict => {
  checkStream(bytes, random)
  return checkDatagram(bytes)
}
