import { idempotencyKeySchema } from '@vaani/contracts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

  app.addHook('preHandler', async (request, reply) => {
    const metadata = metadataOf(request)
    const key = request.headers[KEY_HEADER]
    if (key === undefined || metadata?.idempotencyKey !== true || request.principal === null) return
    if (!idempotencyKeySchema.safeParse(key).success)
      throw new ApiError('invalid_request', 'idempotency-key: must be 1 to 255 visible ASCII characters', {
        param: KEY_HEADER,
      })
    const begun = await store.begin({
      accountId: request.principal.accountId,
      key: String(key),
      operation: metadata.operation,
      url: request.url,
      body: request.body,
    })
    if ('accountId' in begun) {
      request.idempotency = begun
      return
    }
    if (metadata.secretAnswer)
      throw new ApiError(
        'idempotency_conflict',
        'The first request succeeded; its answer held a secret and is not kept',
        {
          param: KEY_HEADER,
        },
      )
    reply.header(REPLAYED_HEADER, 'true')
    // Audio is not kept: it is made again.
    if (begun.body === null) return
    return reply.status(begun.status).type('application/json; charset=utf-8').send(begun.body)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const claim = request.idempotency
    if (claim === null || claim.kept) return
    await settle({ request, reply, payload, store, claim })
  })

  // A request whose connection ended before an answer was sent.
  app.addHook('onRequestAbort', async (request) => {
    if (request.idempotency !== null && !request.idempotency.kept) await store.release(request.idempotency)
  })
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
  await store.keep(claim, { status: reply.statusCode, body })
}
