import { type Kysely, sql } from 'kysely'

/** Records since when nothing is sealed under a key, so that a start can report which keys may be removed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table vault_keys add column retired_at timestamptz`.execute(database)
}
