import { type Kysely, sql } from 'kysely'

/** Keeps what the line reported of a call that has ended. Null if it reported nothing, and for calls of earlier versions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls
      add column sip_status smallint,
      add column q850_cause smallint,
      add column quality json`.execute(database)
}
