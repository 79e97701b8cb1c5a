import { Readable } from 'node:stream'
import { idempotencyKeySchema, type RouteMetadata } from '@vaani/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tenant } from '../accounts/tenant.ts'
import { ApiError } from './api-error.ts'
import type { IdempotencyClaim, IdempotencyStore } from './idempotency.ts'
import { metadataOf } from './ts-rest.ts'

const KEY_HEADER = 'idempotency-key'
const REPLAYED_HEADER = 'idempotent-replayed'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the request carries an idempotency key; a handler may keep its answer in its own transaction. */
    idempotency: IdempotencyClaim | null
  }
}

/** Honours Idempotency-Key on every POST: runs after the body is read, before the handler. */
export function addIdempotency(app: FastifyInstance, store: IdempotencyStore): void {
  app.decorateRequest('idempotency', null)

  app.addHook('preHandler', (request, reply, done) => {
    const metadata = metadataOf(request)
    const key = request.headers[KEY_HEADER]
    if (key === undefined || metadata?.idempotencyKey !== true || request.principal === null) return done()
    begin({ request, reply, store, metadata, key, tenant: request.principal }).then(
      (replayed) => replayed || done(),
      done,
    )
  })

  // Runs where the caller has hung up as well: its work is done, and a second try must find it.
  // Hooks that mostly do nothing take a callback: a promise each would cost more than they do.
  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.idempotency
    // What a transaction kept is lost if that could not be committed: then the key is freed, unless it was after all.
    if (claim === null || (claim.kept && reply.statusCode < 400)) return done()
    settle({ request, reply, payload, store, claim }).then(() => done(), done)
  })
}

/** @returns whether the first answer was given again, and nothing is left to do */
async function begin(options: {
  request: FastifyRequest
  reply: FastifyReply
  store: IdempotencyStore
  metadata: RouteMetadata
  key: unknown
  tenant: Tenant
}): Promise<boolean> {
  const { request, reply, store, metadata, tenant } = options
  const key = idempotencyKeySchema.safeParse(options.key)
  const refuse = (code: 'invalid_request' | 'idempotency_conflict', message: string) =>
    new ApiError(code, message, { param: KEY_HEADER })
  if (!key.success)
    throw refuse('invalid_request', 'idempotency-key: must be 1 to 255 visible ASCII characters')
  const { operation, secretAnswer } = metadata
  const begun = await store.begin({
    tenant,
    key: key.data,
    operation,
    url: request.url,
    // Media is read by the handler, once: its length stands for it.
    body: request.body instanceof Readable ? { bytes: request.headers['content-length'] } : request.body,
  })
  if ('tenant' in begun) {
    request.idempotency = begun
    return false
  }
  if (secretAnswer)
    throw refuse(
      'idempotency_conflict',
      'The first request succeeded; its answer held a secret and is not kept',
    )
  reply.header(REPLAYED_HEADER, 'true')
  // Audio is not kept: it is made again.
  if (begun.body === null) return false
  reply.status(begun.status).type('application/json; charset=utf-8').send(begun.body)
  return true
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
  const secret = metadataOf(request)?.secretAnswer === true
  const body = typeof payload === 'string' && !secret ? payload : null
  try {
    await store.keep(claim, { status: reply.statusCode, body })
  } catch (error) {
    // An error is answered in its place, and nobody will read it.
    if (payload instanceof Readable) payload.destroy()
    throw error
  }
}
