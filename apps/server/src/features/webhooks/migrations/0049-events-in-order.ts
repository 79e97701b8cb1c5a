import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Indexes events in the order of their writing, so that what is new is read at the cost of what is new. The index of a partitioned table
 * can't be built concurrently with writes, but those of its partitions can, and make it complete once each is attached. Partitions that
 * are created meanwhile have it from the start.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists events_in_sequence on only events (sequence)`.execute(database)
  const { rows } = await sql<{ partition: string }>`
    select relname as partition from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass('events') and not exists (
      select from pg_index join pg_inherits of_index on of_index.inhrelid = indexrelid
      where indrelid = pg_class.oid and of_index.inhparent = to_regclass('events_in_sequence')
    )`.execute(database)
  for (const { partition } of rows) {
    const index = `${partition}_in_sequence`
    await buildIndex(database, index, sql`on ${sql.table(partition)} (sequence)`)
    await sql`alter index events_in_sequence attach partition ${sql.table(index)}`.execute(database)
  }
}
