import { type Kysely, sql } from 'kysely'

/**
 * Adds whether the key of an entry could vouch for its `reviewer`, and the reasons of a vote. No earlier key could vouch, so each of
 * them counts as one person.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table review_entries
      add column vouched boolean not null default false,
      add column reasons text[] not null default '{}'`.execute(database)
}
