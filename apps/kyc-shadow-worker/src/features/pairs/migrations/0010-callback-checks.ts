import { type Kysely, sql } from 'kysely'

/** Creates the table of the callbacks that a check waits for, because another process may receive them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table callback_checks (
      check_id text primary key,
      created_at timestamptz not null,
      arrival text check (arrival in ('genuine', 'forged'))
    )
  `.execute(database)
}
