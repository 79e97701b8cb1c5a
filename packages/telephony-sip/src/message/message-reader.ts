import { interpret } from './interpret.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { SipMessage } from './message.ts'
import { findHeadEnd, HEAD_END_BYTES } from './parse-message.ts'
import { readHead, statedLengthOf, type Head } from './read-head.ts'
import { refuse } from './refuse.ts'
import { SipParseError } from './sip-parse-error.ts'

/** One item of a stream. */
export type StreamItem =
  | { readonly kind: 'message'; readonly message: SipMessage }
  /** A keep-alive: answer it with one CRLF (RFC 5626, 4.4.1). The answer to our own ping is not reported. */
  | { readonly kind: 'ping' }
  /** A message that was skipped; the stream goes on. */
  | { readonly kind: 'malformed'; readonly error: SipParseError }
  /** The start of the next message cannot be found any more: close the connection. Always the last item. */
  | { readonly kind: 'broken'; readonly error: SipParseError }

export interface MessageReader {
  /** Takes the next bytes of the stream, however they are cut. Returns what they complete. */
  push(chunk: Uint8Array): readonly StreamItem[]
}

const CR = 13
const LF = 10
const INITIAL_BYTES = 4096

/** Bytes that wait to be read. Each byte moves a bounded number of times, however small the chunks. */
class Inbox {
  #buffer = new Uint8Array(INITIAL_BYTES)
  #start = 0
  #end = 0

  get length(): number {
    return this.#end - this.#start
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(chunk.length)
    this.#buffer.set(chunk, this.#end)
    this.#end += chunk.length
  }

  drop(count: number): void {
    this.#start += count
    if (this.#start < this.#end) return
    this.#start = 0
    this.#end = 0
  }

  #makeRoom(count: number): void {
    const waiting = this.bytes
    // Twice what is needed, so that the next move is at least as many bytes away as this one copies.
    const target = new Uint8Array(Math.max(INITIAL_BYTES, 2 * (waiting.length + count)))
    target.set(waiting)
    this.#buffer = target
    this.#end = waiting.length
    this.#start = 0
  }
}

interface Framed {
  readonly head: Head
  readonly bodyStart: number
  readonly end: number
}

const frame = (bytes: Uint8Array, headEnd: number): Framed => {
  const head = readHead(bytes.subarray(0, headEnd))
  try {
    const length = statedLengthOf(head)
    // On a stream it is mandatory (20.14).
    if (length === undefined) throw new SipParseError('malformed_content_length')
    const bodyStart = headEnd + HEAD_END_BYTES
    if (bodyStart + length > MAX_MESSAGE_BYTES) throw new SipParseError('too_large')
    return { head, bodyStart, end: bodyStart + length }
  } catch (error) {
    throw error instanceof SipParseError ? refuse(error.code, head) : error
  }
}

class StreamReader implements MessageReader {
  readonly #inbox = new Inbox()
  /** How far the end of the head was searched for in vain. */
  #searched = 0
  #framed: Framed | undefined
  /** Line ends since the last message: two make a ping. */
  #lineEnds = 0
  #isBroken = false

  push(chunk: Uint8Array): readonly StreamItem[] {
    if (this.#isBroken) return []
    this.#inbox.append(chunk)
    const items: StreamItem[] = []
    try {
      for (let item = this.#next(); item !== undefined; item = this.#next()) items.push(item)
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error
      this.#isBroken = true
      items.push({ kind: 'broken', error })
    }
    return items
  }

  /** Returns the next item; undefined if it is not complete. @throws SipParseError if the stream is broken */
  #next(): StreamItem | undefined {
    if (this.#framed === undefined) {
      if (this.#takeLineEnds()) return { kind: 'ping' }
      this.#framed = this.#findFrame()
    }
    const framed = this.#framed
    if (framed === undefined || this.#inbox.length < framed.end) return undefined
    const body = new Uint8Array(this.#inbox.bytes.subarray(framed.bodyStart, framed.end))
    this.#inbox.drop(framed.end)
    this.#framed = undefined
    this.#searched = 0
    this.#lineEnds = 0
    try {
      return { kind: 'message', message: interpret(framed.head, body) }
    } catch (error) {
      if (error instanceof SipParseError) return { kind: 'malformed', error }
      throw error
    }
  }

  /** Drops line ends between messages. Returns true after the second of a ping. */
  #takeLineEnds(): boolean {
    const { bytes } = this.#inbox
    let index = 0
    let isPing = false
    while (!isPing && bytes[index] === CR && bytes[index + 1] === LF) {
      index += 2
      this.#lineEnds++
      isPing = this.#lineEnds === 2
    }
    if (index > 0) this.#inbox.drop(index)
    if (isPing) this.#lineEnds = 0
    return isPing
  }

  #findFrame(): Framed | undefined {
    const { bytes } = this.#inbox
    const headEnd = findHeadEnd(bytes, this.#searched, bytes.length)
    if (headEnd >= 0) return frame(bytes, headEnd)
    if (bytes.length > MAX_MESSAGE_BYTES) throw new SipParseError('too_large')
    this.#searched = Math.max(0, bytes.length - HEAD_END_BYTES + 1)
    return undefined
  }
}

/** Returns a reader of the messages on one TCP or TLS connection, framed by Content-Length (18.3). */
export const createMessageReader = (): MessageReader => new StreamReader()
