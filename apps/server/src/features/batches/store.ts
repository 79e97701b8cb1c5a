import { type Batch, BATCH_EVENT_TYPES, BATCH_WINDOW_HOURS, type BatchStatus } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { binaryArray } from '@vaani/service-kit/database/binary-array'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { IdMaker } from '@vaani/service-kit/ids'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import type { Tenant } from '@vaani/service-kit/tenant'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { type Insertable, sql } from 'kysely'
import type { Pool } from 'pg'
import { writeEvent } from '../webhooks/port.ts'
import { type ClaimedRequest, claimRequests, isOpen, type RequestsClaim } from './claim-requests.ts'
import type { BatchRow, BatchTable } from './tables.ts'
import { toBatch } from './view.ts'

/** The end of a request. */
export interface EndedRequest extends Pick<ClaimedRequest, 'batch_id' | 'position'> {
  workerId: string
  succeeded: boolean
  /** Sealed line of the results; null if it is a blob. */
  result: Buffer | null
}

/** A result in the order of the ends. `result` is null if it is a blob. */
export interface StoredResult {
  position: number
  ended_sequence: string
  result: Buffer | null
}

export interface BatchStore {
  /** Writes a batch that nobody sees before `finish`. */
  begin(row: Insertable<BatchTable>): Promise<void>
  addRequests(batchId: string, requests: readonly { position: number; request: Buffer }[]): Promise<void>
  /** Makes an uploaded batch visible and ready to run, and runs `within`, in one transaction. */
  finish(
    batchId: string,
    options: { total: number; callbackUrl: string | null; window: keyof typeof BATCH_WINDOW_HOURS },
    within: (client: Queryable, row: BatchRow) => Promise<void>,
  ): Promise<BatchRow>
  /** Deletes a batch whose upload did not end. A no-op for others. */
  giveUp(batchId: string): Promise<void>
  find(tenant: Tenant, batchId: string): Promise<BatchRow | undefined>
  list(tenant: Tenant, page: { limit: number; cursor?: string | undefined }): Promise<BatchRow[]>
  /** Returns undefined if the tenant has no such batch that is open. */
  cancel(tenant: Tenant, batchId: string): Promise<BatchRow | undefined>
  /**
   * Lists results after a place: at most so many rows, and no more of them once their results have so many bytes. Results of a
   * batch become visible in their order.
   */
  results(batchId: string, after: string, limit: { rows: number; bytes: number }): Promise<StoredResult[]>
  /** Claims requests to an endpoint, taking turns between accounts. */
  claim(claim: RequestsClaim): Promise<ClaimedRequest[]>
  /** Releases a request that the worker holds, not to be claimed again before the delay is over. */
  postpone(held: ClaimedRequest, workerId: string, delaySeconds: number): Promise<void>
  /** Writes the ends of requests that their workers still hold, and those of their batches. */
  end(requests: readonly EndedRequest[]): Promise<BatchRow[]>
  /** Ends batches whose window has closed. */
  expire(): Promise<BatchRow[]>
  /** Lists those of the batches that have ended. */
  endedAmong(batchIds: readonly string[]): Promise<string[]>
  /** Lists batches to delete: those that ended before a time, and those of uploads that crashed. */
  listOld(endedBefore: Date, limit: number): Promise<string[]>
  /** Lists up to `limit` results of a batch that are blobs, after a position. */
  listBlobs(batchId: string, after: number, limit: number): Promise<number[]>
  delete(batchId: string): Promise<void>
}

const HOUR_MS = 3_600_000
/** Longer than any upload may take. */
const ARRIVING_MS = HOUR_MS
const EXPIRED_AT_ONCE = 100

export function createBatchStore(options: {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): BatchStore {
  const { pool, database, clock, makeId, onEvents } = options
  const nowDate = () => new Date(clock.nowMs())

  async function writeEnd(tx: Tx, row: BatchRow): Promise<void> {
    const { status } = row
    if (status === 'queued' || status === 'running') throw new Error('An open batch has not ended')
    const event_id = makeId('event')
    const created_at = nowDate()
    const type = BATCH_EVENT_TYPES[status]
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

  /** Ends open batches among those found, with their events. */
  async function endBatches(run: (tx: Tx) => Promise<BatchRow[]>): Promise<BatchRow[]> {
    const ended = await database.transaction().execute(async (tx) => {
      const rows = await run(tx)
      for (const row of rows) await writeEnd(tx, row)
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

  const ofTenant = ({ accountId, livemode }: Tenant) =>
    database
      .selectFrom('batches')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .where('received_at', 'is not', null)
      .selectAll()

  async function deleteBatch(tx: Tx, batchId: string): Promise<void> {
    await tx.deleteFrom('batch_requests').where('batch_id', '=', batchId).execute()
    await tx.deleteFrom('batches').where('batch_id', '=', batchId).execute()
  }

  return {
    async begin(row) {
      await database.insertInto('batches').values(row).execute()
    },
    async addRequests(batchId, requests) {
      await sql`
        insert into batch_requests (batch_id, position, request)
        select ${batchId}, * from unnest(
          ${requests.map(({ position }) => position)}::integer[],
          ${binaryArray.bytea(requests.map(({ request }) => request))}::bytea[])`.execute(database)
    },
    finish: (batchId, { total, callbackUrl, window }, within) =>
      inTransaction(pool, async (client) => {
        const now = nowDate()
        const { rows } = await client.query<BatchRow>(
          `update batches set total = $2, callback_url = $3, created_at = $4, received_at = $4, expires_at = $5
           where batch_id = $1 and received_at is null returning *`,
          [batchId, total, callbackUrl, now, new Date(now.getTime() + BATCH_WINDOW_HOURS[window] * HOUR_MS)],
        )
        const [row] = rows
        if (row === undefined) throw new Error('The batch was given up while it was uploaded')
        await within(client, row)
        return row
      }),
    giveUp: (batchId) =>
      database.transaction().execute(async (tx) => {
        const { rows } = await sql`
          select from batches where batch_id = ${batchId} and received_at is null for update`.execute(tx)
        if (rows.length > 0) await deleteBatch(tx, batchId)
      }),
    find: (tenant, batchId) => ofTenant(tenant).where('batch_id', '=', batchId).executeTakeFirst(),
    list: (tenant, { limit, cursor }) => {
      const query = ofTenant(tenant).orderBy('account_id').orderBy('batch_id', 'desc').limit(limit)
      return (cursor === undefined ? query : query.where('batch_id', '<', cursor)).execute()
    },
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
    // Reads lazily: the sum follows the index, and neither it nor the limit reads what a result says.
    results: (batchId, after, { rows: limit, bytes }) =>
      byIndex(database, async (tx) => {
        const { rows } = await sql<StoredResult>`
          select position, ended_sequence, result from (
            select position, ended_sequence, result,
              sum(octet_length(result)) over (order by ended_sequence rows between unbounded preceding and 1 preceding) as before
            from batch_requests
            where batch_id = ${batchId} and ended_sequence > ${after}
            order by ended_sequence limit ${limit}
          ) as next
          where coalesce(before, 0) < ${bytes}`.execute(tx)
        return rows
      }),
    async claim(claim) {
      if (!(await isOpen(database, claim.endpoint))) return []
      return claimAlone(database, 'batch requests', (tx) => claimRequests(tx, claim))
    },
    async postpone({ batch_id, position }, workerId, delaySeconds) {
      await database
        .updateTable('batch_requests')
        .set({ worker_id: null, not_before: sql<Date>`now() + make_interval(secs => ${delaySeconds})` })
        .where('batch_id', '=', batch_id)
        .where('position', '=', position)
        .where('worker_id', '=', workerId)
        .execute()
    },
    // `is not distinct from` keeps the planner from reading all that a worker holds for each row.
    end: (requests) =>
      endBatches(async (tx) => {
        const batchIds = [...new Set(requests.map(({ batch_id }) => batch_id))]
        // In one order, so that processes that write at the same time do not lock each other out.
        await sql`
          select from batches where batch_id = any (${batchIds}::text[]) order by batch_id for update`.execute(
          tx,
        )
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
    async endedAmong(batchIds) {
      if (batchIds.length === 0) return []
      const { rows } = await sql<{ batch_id: string }>`
        select batch_id from batches
        where batch_id = any (${batchIds}::text[]) and completed_at is not null`.execute(database)
      return rows.map(({ batch_id }) => batch_id)
    },
    async listOld(endedBefore, limit) {
      const { rows } = await sql<{ batch_id: string }>`
        (select batch_id from batches where completed_at < ${endedBefore} order by completed_at limit ${limit})
        union all
        (select batch_id from batches
          where received_at is null and created_at < ${new Date(clock.nowMs() - ARRIVING_MS)}
          order by created_at limit ${limit})`.execute(database)
      return rows.map(({ batch_id }) => batch_id)
    },
    async listBlobs(batchId, after, limit) {
      const rows = await database
        .selectFrom('batch_requests')
        .where('batch_id', '=', batchId)
        .where('position', '>', after)
        .where('ended_sequence', 'is not', null)
        .where('result', 'is', null)
        .select('position')
        .orderBy('position')
        .limit(limit)
        .execute()
      return rows.map(({ position }) => position)
    },
    delete: (batchId) => database.transaction().execute((tx) => deleteBatch(tx, batchId)),
  }
}

const OPEN: BatchStatus[] = ['queued', 'running']
