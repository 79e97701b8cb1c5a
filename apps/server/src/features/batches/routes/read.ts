import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import type { BatchContext } from '../context.ts'
import { requireBatch } from '../require-batch.ts'
import { toBatch } from '../view.ts'

type Routes = Contract['batches']

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a response. */
const LIMIT_MS = 3_600_000
const BUFFERED_BYTES = 64 * 1024

/** GET /v1/batch/{batch_id} */
export const retrieveBatch =
  ({ store }: BatchContext): Handler<Routes['retrieve']> =>
  async ({ params, request }) => ({
    status: 200,
    body: toBatch(await requireBatch(store, principalOf(request), params.batch_id)),
  })

/** GET /v1/batch */
export const listBatches =
  ({ store }: BatchContext): Handler<Routes['list']> =>
  async ({ query: { limit, cursor }, request }) => {
    const rows = await store.list(principalOf(request), { limit: limit + 1, cursor })
    return { status: 200, body: toPage({ rows, limit, id: ({ batch_id }) => batch_id, view: toBatch }) }
  }

/** GET /v1/batch/{batch_id}/results */
export const readResults =
  ({ store, results, vault }: BatchContext): Handler<Routes['results']> =>
  async ({ params: { batch_id: batchId }, request, reply }) => {
    const { data_key: sealed } = await requireBatch(store, principalOf(request), batchId)
    const lines = results.read(batchId, openDataKey(vault, batchId, sealed))
    const stream = streamToReceiver(lines, {
      bufferedBytes: BUFFERED_BYTES,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck: () => reply.raw.destroy(),
    })
    reply.header('content-type', 'application/x-ndjson').header('cache-control', 'no-store')
    return { status: 200, body: stream }
  }

/** POST /v1/batch/{batch_id}/cancel */
export const cancelBatch =
  ({ store, events, worker }: BatchContext): Handler<Routes['cancel']> =>
  async ({ params: { batch_id: batchId }, request }) => {
    const tenant = principalOf(request)
    const canceled = await store.cancel(tenant, batchId)
    if (canceled) {
      worker?.drop(batchId)
      events.record('batch_ended', { batch_id: batchId, outcome: 'canceled' })
      return { status: 200, body: toBatch(canceled) }
    }
    const row = await requireBatch(store, tenant, batchId)
    if (row.status !== 'canceled') throw new ApiError('state_conflict', `The batch is ${row.status}`)
    return { status: 200, body: toBatch(row) }
  }
