import type { Batch } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { FastifyRequest } from 'fastify'
import type { BatchContext } from '../context.ts'
import { receiveBatch, type ReceivedBatch } from '../intake/receive-batch.ts'
import { batchLimit } from '../limit.ts'
import { toBatch } from '../view.ts'

type Answer = { status: 202; body: Batch }

/** POST /v1/batch */
export function createBatch(context: BatchContext): StreamedRoute<Answer> {
  return async ({ request }) => {
    // Skip this early check with an Idempotency-Key, because a replay needs no room. The transaction below checks exactly.
    if (request.headers['idempotency-key'] === undefined)
      await batchLimit.requireRoom(context.database, principalOf(request))
    const received = await receiveBatch(context, request)
    return {
      fields: {},
      files: new Map([['requests', received]]),
      act: () => finish(context, request, received),
      [Symbol.asyncDispose]: () => received[Symbol.asyncDispose](),
    }
  }
}

async function finish(
  context: BatchContext,
  request: FastifyRequest,
  { batchId, total, options }: ReceivedBatch,
): Promise<Answer> {
  const { store, database, webhooks, idempotency, events, worker } = context
  const principal = principalOf(request)
  const { callback_url: callbackUrl = null, completion_window: window } = options
  if (callbackUrl !== null) {
    await webhooks.requireDestination(callbackUrl, 'callback_url')
    await webhooks.requireTenantSecret(principal, 'callback_url')
  }
  const claim = request.idempotency
  const row = await store.finish(batchId, { total, callbackUrl, window }, async (client, written) => {
    await batchLimit.requireWithinLimit({ database, client, principal })
    if (claim === null) return
    claim.objectId = batchId
    await idempotency.keep(claim, { status: 202, body: JSON.stringify(toBatch(written)) }, client)
  })
  events.record('batch_created', { batch_id: batchId, account_id: principal.accountId })
  worker?.wake()
  return { status: 202, body: toBatch(row) }
}
