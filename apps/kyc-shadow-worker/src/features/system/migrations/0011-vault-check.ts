import { type Kysely, sql } from 'kysely'

/** Adds a value that every process has to open before it starts, even if nothing else is sealed yet. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table vault_check (
      single boolean primary key default true check (single),
      sealed bytea not null
    )`.execute(database)
}
