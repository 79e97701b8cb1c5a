import { type Kysely, sql } from 'kysely'

/**
 * Notes since when a call has waited to be dialled: from the beginning, or since its scheduled time. Null for calls whose time
 * has not come, and for those that the previous version places, until a worker notes that they are due.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column waiting_since timestamptz`.execute(database)
}
