import { isUtf8 } from 'node:buffer'
import { LIMITS } from '@vaani/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_ARRAY = 0x5d
const CLOSE_OBJECT = 0x7d

/** Whether JSON text is nested deeper than `maxDepth`. For text that is not JSON, the result is unspecified. */
export function isDeeperThan(text: Uint8Array, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const byte = text[index]
    if (isInString) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > maxDepth) return true
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
  }
  return false
}

/**
 * Parses JSON bodies. Refuses text that is not UTF-8, instead of repairing it, or that begins with a byte order mark (RFC 8259,
 * section 8.1). Limits nesting before anything walks the value. If a member name is repeated, the last one counts. An empty
 * body counts as no body, whatever its Content-Type.
 */
export function readJsonBodies(
  app: FastifyInstance,
  onBody: (request: FastifyRequest, body: Buffer) => void,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body, done) => {
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(new ApiError('invalid_request', 'The body is not UTF-8'))
      if (isDeeperThan(body, LIMITS.jsonBodyDepth))
        return done(
          new ApiError('invalid_request', `The body is nested more than ${LIMITS.jsonBodyDepth} levels deep`),
        )
      onBody(request, body)
      const text = body.toString()
      if (text.startsWith('\ufeff')) return done(new ApiError('invalid_request', 'The body is not JSON'))
      return parse(request, text, done)
    },
  )
}
