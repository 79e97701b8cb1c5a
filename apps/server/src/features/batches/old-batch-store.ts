import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

/** Batches that are to be deleted. */
export interface OldBatchStore {
  /** Lists those of the batches that have ended. */
  endedAmong(batchIds: readonly string[]): Promise<string[]>
  /** Lists batches to delete: those that ended before a time, and those of uploads that crashed. */
  listOld(endedBefore: Date, limit: number): Promise<string[]>
  /** Lists up to `limit` results of a batch that are blobs, after a position. */
  listBlobs(batchId: string, after: number, limit: number): Promise<number[]>
  delete(batchId: string): Promise<void>
}

/** Longer than any upload may take. */
const ARRIVING_MS = 3_600_000

export const createOldBatchStore = ({ database, clock }: { database: Db; clock: Clock }): OldBatchStore => ({
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
})

export async function deleteBatch(tx: Tx, batchId: string): Promise<void> {
  await tx.deleteFrom('batch_requests').where('batch_id', '=', batchId).execute()
  await tx.deleteFrom('batches').where('batch_id', '=', batchId).execute()
}
