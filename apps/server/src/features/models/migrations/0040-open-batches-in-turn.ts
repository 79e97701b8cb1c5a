import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes open batches of upstreams by account, replacing the index that ordered them across accounts. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await buildIndex(
    database,
    'stored_batches_in_turn',
    sql`on stored_objects (account_id, asked_at) where kind = 'batch' and ended_at is null`,
  )
  await sql`drop index concurrently if exists stored_batches_open`.execute(database)
}
