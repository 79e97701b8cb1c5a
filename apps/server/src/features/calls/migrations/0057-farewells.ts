import { type Kysely, sql } from 'kysely'

/** Keeps with an answered call how another worker can hang it up at its far end. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column farewell text`.execute(database)
}
