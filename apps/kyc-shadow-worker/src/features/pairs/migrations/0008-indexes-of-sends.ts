import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes submissions by when they are due, and those under way by their worker. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await buildIndex(
    database,
    'pairs_to_send',
    sql`on pairs (send_at) where send_at is not null and worker_id is null`,
  )
  await buildIndex(database, 'pairs_being_sent', sql`on pairs (worker_id) where worker_id is not null`)
}
