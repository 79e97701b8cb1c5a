import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors/api-error.ts'
import { parseJson } from './parse-json.ts'

/** Receives the string values of a JSON object that are too large to buffer. */
export interface LongStrings {
  /** Whether to stream the string value of this member. */
  has(name: string): boolean
  begin(name: string): void
  /** Receives a part of the value as UTF-8, escapes resolved. May wait, which applies back-pressure to the source. */
  write(part: Buffer): Promise<void>
  end(): Promise<void>
}

export class JsonStringsError extends Error {
  override readonly name = 'JsonStringsError'
  readonly code: 'not_json' | 'too_large'

  constructor(code: JsonStringsError['code'], cause?: unknown) {
    super(code === 'not_json' ? 'The body is not JSON' : 'The body is too large', { cause })
    this.code = code
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const OPENING = new Set([OPEN_OBJECT, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])
const COLON = 0x3a
const COMMA = 0x2c
const U = 0x75
const LAST_SPACE = 0x20

/** Placeholder for a value that was streamed. */
export const HANDED_ON = 'handed on'

/**
 * Reads a JSON object, streams its long strings as they arrive, and returns the rest parsed, with `HANDED_ON` in place of the
 * long strings. `JSON.parse` validates the rest, so only valid JSON is accepted.
 *
 * @throws ApiError from `parseJson`
 * @throws JsonStringsError `not_json`, or `too_large` if the rest is over the limit
 */
export async function readJsonWithLongStrings(options: {
  source: AsyncIterable<Buffer>
  strings: LongStrings
  maxRestBytes: number
}): Promise<unknown> {
  const { source, strings, maxRestBytes } = options
  const rest = createRest(maxRestBytes)
  const place = new TopLevel()
  const long = new LongString(strings)
  let state: 'plain' | 'string' | 'long' = 'plain'
  let isEscaped = false
  /** The parts of a name, while it is read. */
  let name: Buffer[] | null = null

  for await (const chunk of source) {
    let at = 0
    /** Start of the part of the chunk that belongs to the rest. */
    let from = 0
    while (at < chunk.length) {
      if (state === 'long') {
        at = await long.pass(chunk, at)
        from = at
        if (long.isOver) state = 'plain'
        continue
      }
      const byte = chunk[at] ?? 0
      at++
      if (state === 'string') {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          state = 'plain'
          if (name !== null) place.lastName = readName([...name, chunk.subarray(from, at)])
          name = null
        }
        continue
      }
      if (byte !== QUOTE) {
        place.pass(byte)
        continue
      }
      const kind = place.beginString()
      state = kind === 'value' && strings.has(place.lastName) ? 'long' : 'string'
      if (state === 'long') {
        rest.keep(chunk.subarray(from, at - 1))
        rest.keep(Buffer.from(JSON.stringify(HANDED_ON)))
        long.begin(place.lastName)
        from = at
      } else if (kind === 'name') {
        rest.keep(chunk.subarray(from, at - 1))
        from = at - 1
        name = []
      }
    }
    if (state === 'long') continue
    name?.push(Buffer.from(chunk.subarray(from)))
    rest.keep(chunk.subarray(from))
  }
  if (state !== 'plain') throw new JsonStringsError('not_json')
  return rest.parse()
}

/** Collects the text that is not streamed. */
function createRest(maxBytes: number) {
  const parts: Buffer[] = []
  let bytes = 0
  return {
    keep(part: Buffer): void {
      bytes += part.length
      if (bytes > maxBytes) throw new JsonStringsError('too_large')
      parts.push(Buffer.from(part))
    },
    parse(): unknown {
      const text = Buffer.concat(parts)
      if (!isUtf8(text)) throw new JsonStringsError('not_json')
      return parse(text)
    },
  }
}

/** Follows the text outside strings, to tell names and values of the object's own members. */
class TopLevel {
  lastName = ''
  #depth = 0
  #isNameNext = false
  #isAfterColon = false

  pass(byte: number): void {
    if (OPENING.has(byte)) {
      this.#depth++
      this.#isNameNext = this.#depth === 1 && byte === OPEN_OBJECT
      this.#isAfterColon = false
    } else if (CLOSING.has(byte)) this.#depth--
    else if (this.#depth === 1 && byte === COLON) this.#isAfterColon = true
    else if (this.#depth === 1 && byte === COMMA) {
      this.#isNameNext = true
      this.#isAfterColon = false
    } else if (byte > LAST_SPACE) this.#isAfterColon = false
  }

  /** Says what a string that begins here is: a name or a value of the object itself, or something else. */
  beginString(): 'name' | 'value' | 'other' {
    const kind = this.#depth !== 1 ? 'other' : this.#isAfterColon ? 'value' : 'name'
    const isExpected = kind !== 'name' || this.#isNameNext
    this.#isAfterColon = false
    this.#isNameNext = false
    return isExpected ? kind : 'other'
  }
}

/** Streams a long string, whose escapes may be split across chunks. */
class LongString {
  isOver = false
  readonly #strings: LongStrings
  #escape: Buffer = Buffer.alloc(0)

  constructor(strings: LongStrings) {
    this.#strings = strings
  }

  begin(name: string): void {
    this.isOver = false
    this.#strings.begin(name)
  }

  /** Streams up to the end of the string or of the chunk. @returns the index where it stopped */
  async pass(chunk: Buffer, start: number): Promise<number> {
    if (this.#escape.length > 0) return this.#passEscape(chunk, start)
    const quote = chunk.indexOf(QUOTE, start)
    const end = quote === -1 ? chunk.length : quote
    const backslash = chunk.subarray(start, end).indexOf(BACKSLASH)
    const stop = backslash === -1 ? end : start + backslash
    if (stop > start) await this.#strings.write(chunk.subarray(start, stop))
    if (backslash !== -1) {
      this.#escape = chunk.subarray(stop, stop + 1)
      return stop + 1
    }
    if (quote === -1) return chunk.length
    await this.#strings.end()
    this.isOver = true
    return quote + 1
  }

  async #passEscape(chunk: Buffer, start: number): Promise<number> {
    const wanted = this.#escape[1] === U ? 6 : 2
    const more = chunk.subarray(start, start + Math.max(1, wanted - this.#escape.length))
    this.#escape = Buffer.concat([this.#escape, more])
    if (this.#escape.length >= (this.#escape[1] === U ? 6 : 2)) {
      await this.#strings.write(resolveEscape(this.#escape))
      this.#escape = Buffer.alloc(0)
    }
    return start + more.length
  }
}

function readName(parts: readonly Buffer[]): string {
  const name = parse(Buffer.concat(parts))
  return typeof name === 'string' ? name : ''
}

const resolveEscape = (escape: Buffer): Buffer =>
  Buffer.from(String(parse(Buffer.from(`"${escape.toString('latin1')}"`))))

function parse(text: Buffer): unknown {
  try {
    return parseJson(text.toString())
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new JsonStringsError('not_json', error)
  }
}
