import type { Tenant } from '@vaani/service-kit/tenant'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { type ClaimedRequest, claimRequests, openEndpoints, type RequestsClaim } from './claim-requests.ts'
import { createEndStore, type EndStore } from './end-store.ts'
import { createOldBatchStore, type OldBatchStore } from './old-batch-store.ts'
import type { BatchRow } from './tables.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

/** A result in the order of the ends. `result` is null if it is a blob. */
export interface StoredResult {
  position: number
  ended_sequence: string
  result: Buffer | null
}

export interface BatchStore extends UploadStore, EndStore, OldBatchStore {
  find(tenant: Tenant, batchId: string): Promise<BatchRow | undefined>
  list(tenant: Tenant, page: { limit: number; cursor?: string | undefined }): Promise<BatchRow[]>
  /**
   * Lists results after a place: at most so many rows, and no more of them once their results have so many bytes. Results of a
   * batch become visible in their order.
   */
  results(batchId: string, after: string, limit: { rows: number; bytes: number }): Promise<StoredResult[]>
  /** Claims requests to an endpoint, taking turns between accounts. */
  claim(claim: RequestsClaim): Promise<ClaimedRequest[]>
  /** Releases a request that the worker holds, not to be claimed again before the delay is over. */
  postpone(held: ClaimedRequest, workerId: string, delaySeconds: number): Promise<void>
}

export function createBatchStore(options: {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): BatchStore {
  const { database } = options
  const isOpen = openEndpoints(database)
  const ofTenant = ({ accountId, livemode }: Tenant) =>
    database
      .selectFrom('batches')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .where('received_at', 'is not', null)
      .selectAll()

  return {
    ...createUploadStore(options),
    ...createEndStore(options),
    ...createOldBatchStore(options),
    find: (tenant, batchId) => ofTenant(tenant).where('batch_id', '=', batchId).executeTakeFirst(),
    list: (tenant, { limit, cursor }) => {
      const query = ofTenant(tenant).orderBy('account_id').orderBy('batch_id', 'desc').limit(limit)
      return (cursor === undefined ? query : query.where('batch_id', '<', cursor)).execute()
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
      if (!(await isOpen(claim.endpoint))) return []
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
  }
}
