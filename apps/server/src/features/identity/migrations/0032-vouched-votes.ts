import { type Kysely, sql } from 'kysely'

/** Adds whether the key of an entry could vouch for its `reviewer`. No earlier key could, so each of them counts as one person. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table review_entries add column vouched boolean not null default false`.execute(database)
}
