import { type Kysely, sql } from 'kysely'

/** Adds an account's own settings for verifications; null means the server's. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column identity_policy text,
      add column media_retention_days smallint check (media_retention_days between 0 and 3650)
  `.execute(database)
}
