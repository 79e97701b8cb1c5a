import { type Kysely, sql } from 'kysely'

/** Creates the groups of alerts that are sent at most once an hour. The alerts themselves are jobs. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_groups (
      group_key text primary key,
      alerted_at timestamptz not null,
      reported integer not null,
      waiting integer not null,
      latest json not null
    ) with (fillfactor = 50);
  `.execute(database)
}
