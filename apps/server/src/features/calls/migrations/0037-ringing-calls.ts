import { type Kysely, sql } from 'kysely'

/** Notes since when a call has rung. Null until it rings. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column ringing_since timestamptz`.execute(database)
}
