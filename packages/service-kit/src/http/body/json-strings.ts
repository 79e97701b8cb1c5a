import { isUtf8 } from 'node:buffer'

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
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])
const COLON = 0x3a
const COMMA = 0x2c
const U = 0x75

/** Placeholder for a value that was streamed. */
export const HANDED_ON = 'handed on'

/**
 * Reads a JSON object, streams its long strings as they arrive, and returns the rest parsed, with `HANDED_ON` in place of the
 * long strings. `JSON.parse` validates the rest, so only valid JSON is accepted.
 *
 * @throws JsonStringsError `not_json`, or `too_large` if the rest is over the limit
 */
export async function readJsonWithLongStrings(options: {
  source: AsyncIterable<Buffer>
  strings: LongStrings
  maxRestBytes: number
}): Promise<unknown> {
  const { source, strings, maxRestBytes } = options
  const rest: Buffer[] = []
  let restBytes = 0
  const keep = (bytes: Buffer) => {
    restBytes += bytes.length
    if (restBytes > maxRestBytes) throw new JsonStringsError('too_large')
    rest.push(Buffer.from(bytes))
  }

  let depth = 0
  /** At the top level of the object: whether a name comes next, and the last name read. */
  let nameNext = false
  let name: Buffer[] | null = null
  let lastName = ''
  let afterColon = false
  let state: 'plain' | 'string' | 'long' = 'plain'
  let isEscaped = false
  /** An escape in a long string that is split across chunks. */
  let escape: Buffer = Buffer.alloc(0)

  const readName = () => {
    try {
      const parsed: unknown = JSON.parse(Buffer.concat(name ?? []).toString('utf8'))
      return typeof parsed === 'string' ? parsed : ''
    } catch (error) {
      throw new JsonStringsError('not_json', error)
    }
  }

  for await (const chunk of source) {
    let at = 0
    /** Start of the part of the chunk that belongs to the rest. */
    let from = 0
    while (at < chunk.length) {
      if (state === 'long') {
        at = await passLong(chunk, at)
        from = at
        continue
      }
      const byte = chunk[at] ?? 0
      at++
      if (state === 'string') {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          state = 'plain'
          if (name !== null) {
            name.push(chunk.subarray(Math.max(from, 0), at))
            lastName = readName()
            name = null
          }
        }
        continue
      }
      if (byte === QUOTE) {
        if (depth === 1 && afterColon && strings.has(lastName)) {
          keep(chunk.subarray(from, at - 1))
          keep(Buffer.from(JSON.stringify(HANDED_ON)))
          strings.begin(lastName)
          state = 'long'
          from = at
        } else {
          state = 'string'
          if (depth === 1 && nameNext) {
            keep(chunk.subarray(from, at - 1))
            from = at - 1
            name = []
          }
        }
        afterColon = false
        nameNext = false
      } else if (OPENING.has(byte)) {
        depth++
        nameNext = depth === 1 && byte === 0x7b
        afterColon = false
      } else if (CLOSING.has(byte)) depth--
      else if (depth === 1 && byte === COLON) afterColon = true
      else if (depth === 1 && byte === COMMA) {
        nameNext = true
        afterColon = false
      } else if (byte > 0x20) afterColon = false
    }
    if (state !== 'long') {
      if (name !== null) name.push(Buffer.from(chunk.subarray(from)))
      keep(chunk.subarray(from))
    }
  }
  const text = Buffer.concat(rest)
  if (state !== 'plain' || !isUtf8(text)) throw new JsonStringsError('not_json')
  try {
    return JSON.parse(text.toString())
  } catch (error) {
    throw new JsonStringsError('not_json', error)
  }

  /** Streams a long string up to its end or the end of the chunk. @returns the index where it stopped */
  async function passLong(chunk: Buffer, start: number): Promise<number> {
    let at = start
    if (escape.length > 0) {
      const wanted = escape[1] === U ? 6 : 2
      const more = chunk.subarray(at, at + Math.max(1, wanted - escape.length))
      escape = Buffer.concat([escape, more])
      at += more.length
      if (escape.length < (escape[1] === U ? 6 : 2)) return at
      await strings.write(resolveEscape(escape))
      escape = Buffer.alloc(0)
      return at
    }
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote === -1 ? chunk.length : quote
    const backslash = chunk.subarray(at, end).indexOf(BACKSLASH)
    const stop = backslash === -1 ? end : at + backslash
    if (stop > at) await strings.write(chunk.subarray(at, stop))
    if (backslash !== -1) {
      escape = chunk.subarray(stop, stop + 1)
      return stop + 1
    }
    if (quote === -1) return chunk.length
    await strings.end()
    state = 'plain'
    return quote + 1
  }
}

function resolveEscape(escape: Buffer): Buffer {
  try {
    return Buffer.from(String(JSON.parse(`"${escape.toString('latin1')}"`)))
  } catch (error) {
    throw new JsonStringsError('not_json', error)
  }
}
