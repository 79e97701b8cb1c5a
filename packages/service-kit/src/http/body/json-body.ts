import { isUtf8 } from 'node:buffer'
import { LIMITS } from '@vaani/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { JSON_TYPES } from './json-types.ts'
import { isInNumber, isSpace, MAX_NUMBER_LENGTH, parseJson } from './parse-json.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_ARRAY = 0x5d
const CLOSE_OBJECT = 0x7d
/** Limit on white space. A body of the 4 MiB that most routes accept never has more. */
const MAX_SPACE_BYTES = 4 * 1024 * 1024

/**
 * Returns what JSON text has too much of, as the end of a sentence, or null. Call it before anything walks the value: a
 * schema takes microseconds for each member and element, and up to a minute for 4 MiB of them. For text that is not JSON, the
 * result is unspecified.
 *
 * @param options.maxItems the most members and elements, at all levels together
 */
export function findExcess(
  text: Uint8Array,
  { maxDepth, maxItems }: { maxDepth: number; maxItems: number } = {
    maxDepth: LIMITS.jsonBodyDepth,
    maxItems: LIMITS.jsonBodyItems,
  },
): string | null {
  let depth = 0
  let items = 0
  let spaces = 0
  let isFirst = false
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] ?? 0
    if (isSpace(byte)) {
      const start = index
      while (isSpace(text[index + 1] ?? 0)) index++
      spaces += index - start + 1
      if (spaces > MAX_SPACE_BYTES) return `has more than ${MAX_SPACE_BYTES} bytes of white space`
      continue
    }
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--
      isFirst = false
      continue
    }
    if (byte === COMMA || isFirst) {
      if (++items > maxItems) return `has more than ${maxItems} members and elements`
      isFirst = false
    }
    if (byte === QUOTE) index = endOfString(text, index)
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > maxDepth) return `is nested more than ${maxDepth} levels deep`
      isFirst = true
    } else if (isInNumber(byte)) {
      const start = index
      while (isInNumber(text[index + 1] ?? 0))
        if (++index - start >= MAX_NUMBER_LENGTH)
          return `has a number of more than ${MAX_NUMBER_LENGTH} characters`
    }
  }
  return null
}

/** Bytes of a string to look at one by one, because a search costs as much as some of them. */
const SHORT_STRING_BYTES = 64

/** Returns the index of the quote that ends a string, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  for (let end = start + 1; ; end++) {
    for (const limit = end + SHORT_STRING_BYTES; end < limit; end++) {
      const byte = text[end]
      if (byte === QUOTE || byte === undefined) return end
      if (byte === BACKSLASH) end++
    }
    end = text.indexOf(QUOTE, end)
    if (end === -1) return text.length
    let backslashes = 0
    while (text[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/**
 * Parses JSON bodies. Refuses text that is not UTF-8, instead of repairing it, and skips a byte order mark (RFC 8259, section
 * 8.1). Limits nesting, members and elements. If a member name is repeated, the last one counts. An empty body counts as no
 * body, whatever its Content-Type.
 */
export function readJsonBodies(
  app: FastifyInstance,
  onBody: (request: FastifyRequest, body: Buffer) => void,
): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>(
    [...JSON_TYPES],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body, done) => {
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(new ApiError('invalid_request', 'The body is not UTF-8'))
      const excess = findExcess(body)
      if (excess !== null) return done(new ApiError('invalid_request', `The body ${excess}`))
      onBody(request, body)
      try {
        return done(null, parseJson(body.toString()))
      } catch (error) {
        // The parser's own message quotes the text.
        return done(
          error instanceof ApiError ? error : new ApiError('invalid_request', 'The body is not JSON'),
        )
      }
    },
  )
}
