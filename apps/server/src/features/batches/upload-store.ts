import { BATCH_WINDOW_HOURS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { binaryArray } from '@vaani/service-kit/database/binary-array'
import type { Db } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import { type Insertable, sql } from 'kysely'
import type { Pool } from 'pg'
import { deleteBatch } from './old-batch-store.ts'
import type { BatchRow, BatchTable } from './tables.ts'

/** Batches while they are uploaded. */
export interface UploadStore {
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
}

const HOUR_MS = 3_600_000

export function createUploadStore({
  pool,
  database,
  clock,
}: {
  pool: Pool
  database: Db
  clock: Clock
}): UploadStore {
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
        const now = new Date(clock.nowMs())
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
  }
}
