import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { idempotencyKeySchema } from '@vaani/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import {
  type IdempotencyClaim,
  type IdempotencyStore,
  REPLAYED_HEADER,
  type StoredAnswer,
} from './idempotency.ts'
import { isStreamed, metadataOf } from '../ts-rest.ts'

const KEY_HEADER = 'idempotency-key'

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim on the request's idempotency key, if any. A handler may store its response in its own transaction. */
    idempotency: IdempotencyClaim | null
    /** Digest of the body's bytes, if it was read into memory. */
    bodyDigest: Buffer | null
  }
}

/** Implements Idempotency-Key for every POST, before the handler runs. For streamed routes, `mountStreamed` does. */
export function addIdempotency(app: FastifyInstance, store: IdempotencyStore): void {
  app.decorateRequest('idempotency', null)
  app.decorateRequest('bodyDigest', null)

  app.addHook('preHandler', (request, reply, done) => {
    if (readKey(request) === null) return done()
    // The content is known only after it has been read. `mountStreamed` claims the key then.
    if (isStreamed(request)) return done()
    claimKey({ request, reply, store, content: digestOfBody(request) }).then(
      (kept) => (kept === null ? done() : sendKept(reply, kept)),
      done,
    )
  })

  // Also runs if the caller has hung up, because the work is done and a retry must find its result.
  // Hooks that mostly do nothing use a callback, because a promise would cost more than the hook itself.
  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.idempotency
    // A handler's transaction may have stored the response but failed to commit. Then release the key, which is a no-op if the
    // commit succeeded after all.
    if (claim === null || (claim.kept && reply.statusCode < 400)) return done()
    settle({ request, reply, payload, store, claim }).then(() => done(), done)
  })
}

/** Computes the digest of a body that comes with a key. Every parser that reads a body into memory must call it. */
export function takeDigest(request: FastifyRequest, body: Buffer): void {
  if (request.headers[KEY_HEADER] !== undefined)
    request.bodyDigest = createHash('sha256').update(body).digest()
}

const NO_BODY = createHash('sha256').digest()

function digestOfBody({ body, bodyDigest }: FastifyRequest): Buffer {
  if (bodyDigest !== null) return bodyDigest
  // Without a digest, all requests would look the same.
  if (body !== undefined) throw new Error('A body was read without its digest')
  return NO_BODY
}

/**
 * Returns the request's Idempotency-Key; null if it has none or its route does not support keys.
 *
 * @throws ApiError if the key is malformed
 */
function readKey(request: FastifyRequest): string | null {
  const given = request.headers[KEY_HEADER]
  if (given === undefined || metadataOf(request)?.idempotencyKey !== true || request.principal === null)
    return null
  const key = idempotencyKeySchema.safeParse(given)
  if (!key.success)
    throw new ApiError('invalid_request', 'idempotency-key: must be 1 to 255 visible ASCII characters', {
      param: KEY_HEADER,
    })
  return key.data
}

/** The stored response to the first request, to replay. */
export interface KeptAnswer extends StoredAnswer {
  body: string
}

/**
 * Claims the request's Idempotency-Key, if any, for its content.
 *
 * @returns the response to replay if the first request succeeded; null if the handler must run
 * @throws ApiError `idempotency_conflict` if the key was used for other content, or the first request is still running
 */
export async function claimKey(options: {
  request: FastifyRequest
  reply: FastifyReply
  store: IdempotencyStore
  content: Buffer
}): Promise<KeptAnswer | null> {
  const { request, reply, store, content } = options
  const key = readKey(request)
  const metadata = metadataOf(request)
  if (key === null || metadata === undefined || request.principal === null) return null
  const { operation, secretAnswer } = metadata
  const begun = await store.begin({ tenant: request.principal, key, operation, url: request.url, content })
  if ('tenant' in begun) {
    request.idempotency = begun
    return null
  }
  if (secretAnswer)
    throw new ApiError(
      'idempotency_conflict',
      'The first request succeeded, but its response contained a secret and was not stored',
      { param: KEY_HEADER },
    )
  reply.header(REPLAYED_HEADER, 'true')
  const { status, body } = begun
  // Audio and private answers are not stored but made again.
  return body === null ? null : { status, body }
}

function sendKept(reply: FastifyReply, { status, body }: KeptAnswer): void {
  reply.status(status).type('application/json; charset=utf-8').send(body)
}

/** Returns a payload that can be stored: text, or the bytes of JSON. */
function textOf(payload: unknown, reply: FastifyReply): string | null {
  if (typeof payload === 'string') return payload
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
  return isJson && Buffer.isBuffer(payload) ? payload.toString() : null
}

async function settle(options: {
  request: FastifyRequest
  reply: FastifyReply
  payload: unknown
  store: IdempotencyStore
  claim: IdempotencyClaim
}): Promise<void> {
  const { request, reply, payload, store, claim } = options
  if (reply.statusCode >= 400) return store.release(claim)
  const metadata = metadataOf(request)
  const isKept = metadata?.secretAnswer !== true && metadata?.privateAnswer !== true
  const text = isKept ? textOf(payload, reply) : null
  const body = text !== null && claim.redact ? claim.redact(text) : text
  try {
    await store.keep(claim, { status: reply.statusCode, body })
  } catch (error) {
    // An error response replaces the payload, so nothing will read it.
    if (payload instanceof Readable) payload.destroy()
    throw error
  }
}
