import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors/api-error.ts'
import { parseJson } from './parse-json.ts'

/** Receives the elements of the one long array in a JSON object, each as its JSON text. */
export interface LongArray {
  /** Name of the array among the members of the object. */
  name: string
  /** Called when the array begins, with the members before it. Returns the limit on the bytes of an element. */
  begin(before: unknown): number
  /** Receives the text of an element, not yet parsed. May wait, which applies back-pressure to the source. */
  element(text: Buffer): Promise<void>
}

export type JsonElementsErrorCode = 'not_json' | 'too_large' | 'element_too_large' | 'sent_twice'

export class JsonElementsError extends Error {
  override readonly name = 'JsonElementsError'
  readonly code: JsonElementsErrorCode

  constructor(code: JsonElementsErrorCode, cause?: unknown) {
    super(`The JSON object could not be read: ${code}`, { cause })
    this.code = code
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LAST_SPACE = 0x20

/**
 * Reads a JSON object and hands on the elements of its one long array as they arrive, so that memory holds one element. Returns
 * the rest parsed, with an empty array in the place of the long one.
 *
 * The scanner only finds where elements begin and end. `JSON.parse` validates the rest, and whoever receives an element parses
 * it, so only valid JSON passes: text that the scanner cuts in a wrong place does not parse.
 *
 * @throws ApiError from `parseJson`
 * @throws JsonElementsError `not_json`; `too_large` if the rest is over `maxRestBytes`; `element_too_large`; `sent_twice` if
 *   the object has the array twice
 */
export async function readJsonWithLongArray(options: {
  source: AsyncIterable<Buffer>
  array: LongArray
  maxRestBytes: number
}): Promise<unknown> {
  const { source, array, maxRestBytes } = options
  const rest = createParts(maxRestBytes, 'too_large')
  let element = createParts(0, 'element_too_large')
  const lastName = createParts(maxRestBytes, 'too_large')
  let depth = 0
  let isInString = false
  let isEscaped = false
  /** The string being read may be the name of a member of the object. */
  let isName = false
  /** A colon of the object was read, and nothing of its value. */
  let isAfterColon = false
  let where: 'before' | 'inside' | 'after' = 'before'
  /** Whether an element follows the last comma of the array. */
  let hasContent = false
  let isEmpty = true
  for await (const chunk of source) {
    /** Start of the bytes that belong to the rest, or to the element, but were not taken yet. */
    let from = 0
    let nameFrom = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isInString = false
          if (isName) lastName.take(chunk.subarray(nameFrom, at + 1))
          isName = false
        }
        continue
      }
      if (byte <= LAST_SPACE) continue
      const isOfArray = where === 'inside' && depth === 2
      if (isOfArray && (byte === COMMA || byte === CLOSE_ARRAY)) {
        element.take(chunk.subarray(from, at))
        from = at + 1
        if (hasContent) await array.element(element.join())
        else if (byte === COMMA || !isEmpty) throw new JsonElementsError('not_json')
        element.clear()
        isEmpty = hasContent = false
        if (byte === CLOSE_ARRAY) {
          rest.take(Buffer.from(']'))
          where = 'after'
          depth--
        }
        continue
      }
      if (where === 'inside') hasContent = true
      const wasAfterColon = isAfterColon
      isAfterColon = false
      if (byte === QUOTE) {
        isInString = true
        isName = depth === 1 && !wasAfterColon
        nameFrom = at
        if (isName) lastName.clear()
      } else if (byte === COLON) isAfterColon = depth === 1
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++
        if (byte !== OPEN_ARRAY || depth !== 2 || !wasAfterColon || parse(lastName.join()) !== array.name)
          continue
        if (where === 'after') throw new JsonElementsError('sent_twice')
        rest.take(chunk.subarray(from, at + 1))
        from = at + 1
        const before = parse(Buffer.concat([rest.join(), Buffer.from(']}')]))
        element = createParts(array.begin(before), 'element_too_large')
        where = 'inside'
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
    }
    if (isName) lastName.take(chunk.subarray(nameFrom))
    // The source may reuse its memory.
    ;(where === 'inside' ? element : rest).take(Buffer.from(chunk.subarray(from)))
  }
  if (where === 'inside') throw new JsonElementsError('not_json')
  return parse(rest.join())
}

function parse(text: Buffer): unknown {
  if (!isUtf8(text)) throw new JsonElementsError('not_json')
  try {
    return parseJson(text.toString())
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new JsonElementsError('not_json', error)
  }
}

/** Collects the parts of a text, up to a number of bytes. */
function createParts(maxBytes: number, code: JsonElementsErrorCode) {
  let parts: Buffer[] = []
  let bytes = 0
  return {
    take(part: Buffer) {
      bytes += part.length
      if (bytes > maxBytes) throw new JsonElementsError(code)
      if (part.length > 0) parts.push(part)
    },
    join: () => Buffer.concat(parts),
    clear() {
      parts = []
      bytes = 0
    },
  }
}
