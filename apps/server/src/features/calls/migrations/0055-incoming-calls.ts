import { type Kysely, sql } from 'kysely'

/** Tells calls that came in from those that were placed, as all earlier ones were. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column direction text not null default 'outbound'`.execute(database)
}
