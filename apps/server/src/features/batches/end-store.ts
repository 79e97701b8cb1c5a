import { type Batch, BATCH_EVENT_TYPES, type BatchStatus } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { binaryArray } from '@vaani/service-kit/database/binary-array'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import { deriveEventId, writeEvent } from '../webhooks/port.ts'
import type { ClaimedRequest } from './claim-requests.ts'
import type { BatchRow } from './tables.ts'
import { toBatch } from './view.ts'

/** The end of a request. */
export interface EndedRequest extends Pick<ClaimedRequest, 'batch_id' | 'position'> {
  workerId: string
  succeeded: boolean
  /** Sealed line of the results; null if it is a blob. */
  result: Buffer | null
}

/** Ends of batches and of their requests, with their events. */
export interface EndStore {
  /** Returns undefined if the tenant has no such batch that is open. */
  cancel(tenant: Tenant, batchId: string): Promise<BatchRow | undefined>
  /** Writes the ends of requests that their workers still hold, and those of their batches. */
  end(requests: readonly EndedRequest[]): Promise<BatchRow[]>
  /** Ends batches whose window has closed. */
  expire(): Promise<BatchRow[]>
}

const OPEN: BatchStatus[] = ['queued', 'running']
const EXPIRED_AT_ONCE = 100

export function createEndStore(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): EndStore {
  const { database, clock, makeId, onEvents } = options
  const nowDate = () => new Date(clock.nowMs())

  /** Ends open batches among those found, with their events. */
  async function endBatches(run: (tx: Tx) => Promise<BatchRow[]>): Promise<BatchRow[]> {
    const ended = await database.transaction().execute(async (tx) => {
      const rows = await run(tx)
      for (const row of rows) await writeEnd(tx, row, { clock, makeId, created_at: nowDate() })
      return rows
    })
    if (ended.length > 0) onEvents()
    return ended
  }

  /** Deletes what will never be made. Not in the transaction of the end, in which it would wait for claims that wait for it. */
  const dropWaiting = (batchId: string) =>
    sql`
      delete from batch_requests
      where batch_id = ${batchId} and worker_id is null and ended_sequence is null`.execute(database)

  return {
    async cancel({ accountId, livemode }, batchId) {
      const [canceled] = await endBatches((tx) =>
        tx
          .updateTable('batches')
          .set({ status: 'canceled', completed_at: nowDate() })
          .where('batch_id', '=', batchId)
          .where('account_id', '=', accountId)
          .where('livemode', '=', livemode)
          .where('status', 'in', OPEN)
          .where('received_at', 'is not', null)
          .returningAll()
          .execute(),
      )
      if (canceled) await dropWaiting(batchId)
      return canceled
    },
    end: (requests) =>
      endBatches(async (tx) => {
        const rows = await writeResults(tx, requests)
        const done = rows.filter(
          ({ status, total, succeeded, failed }) => status === 'running' && succeeded + failed === total,
        )
        if (done.length === 0) return []
        return tx
          .updateTable('batches')
          .set({ status: 'completed', completed_at: nowDate() })
          .where(
            'batch_id',
            'in',
            done.map(({ batch_id }) => batch_id),
          )
          .returningAll()
          .execute()
      }),
    async expire() {
      const expired = await endBatches(async (tx) => {
        const now = nowDate()
        // `is not distinct from` keeps the planner from reading all that a worker holds for each row.
        const { rows } = await sql<BatchRow>`
          update batches set status = 'failed', failure_reason = 'expired', completed_at = ${now}
          where batch_id in (
            select batch_id from batches
            where status in ('queued', 'running') and received_at is not null and expires_at <= ${now}
            order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)
          returning *`.execute(tx)
        return rows
      })
      for (const { batch_id } of expired) await dropWaiting(batch_id)
      return expired
    },
  }
}

async function writeEnd(
  tx: Tx,
  row: BatchRow,
  { created_at, ...ids }: { clock: Clock; makeId: IdMaker; created_at: Date },
): Promise<void> {
  const { status } = row
  if (status === 'queued' || status === 'running') throw new Error('An open batch has not ended')
  const type = BATCH_EVENT_TYPES[status]
  const event_id = deriveEventId(
    { objectId: row.batch_id, objectCreatedAt: row.created_at, type, step: 0 },
    ids,
  )
  const data: Batch = toBatch(row)
  await writeEvent(tx, {
    event_id,
    account_id: row.account_id,
    livemode: row.livemode,
    type,
    object_id: row.batch_id,
    callback_url: row.callback_url,
    body: JSON.stringify({ event_id, type, created_at: created_at.toISOString(), data }),
    created_at,
    traceparent: currentTraceparent() ?? row.traceparent,
  })
}

/** Writes the ends of requests that their workers still hold, and counts them in their batches. @returns these batches */
async function writeResults(tx: Tx, requests: readonly EndedRequest[]): Promise<BatchRow[]> {
  const batchIds = [...new Set(requests.map(({ batch_id }) => batch_id))]
  // In one order, so that processes that write at the same time do not lock each other out.
  await sql`
    select from batches where batch_id = any (${batchIds}::text[]) order by batch_id for update`.execute(tx)
  // `is not distinct from` keeps the planner from reading all that a worker holds for each row.
  const { rows } = await sql<BatchRow>`
    with given (batch_id, position, worker_id, succeeded, result) as (
      select * from unnest(
        ${requests.map(({ batch_id }) => batch_id)}::text[],
        ${requests.map(({ position }) => position)}::integer[],
        ${requests.map(({ workerId }) => workerId)}::text[],
        ${requests.map(({ succeeded }) => succeeded)}::boolean[],
        ${binaryArray.bytea(requests.map(({ result }) => result))}::bytea[])
    ),
    ended as (
      update batch_requests set request = null, worker_id = null, result = given.result,
        ended_sequence = nextval('batch_results')
      from given
      where batch_requests.batch_id = given.batch_id and batch_requests.position = given.position
        and batch_requests.worker_id is not distinct from given.worker_id
      returning batch_requests.batch_id, given.succeeded
    ),
    counted as (
      select batch_id, count(*) filter (where succeeded)::integer as succeeded,
        count(*) filter (where not succeeded)::integer as failed
      from ended group by batch_id
    )
    update batches set succeeded = batches.succeeded + counted.succeeded, failed = batches.failed + counted.failed
    from counted where batches.batch_id = counted.batch_id
    returning batches.*`.execute(tx)
  return rows
}
