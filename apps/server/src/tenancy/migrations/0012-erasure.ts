import { type Kysely, sql } from 'kysely'

/** Adds indexes to find what to erase, by account because retention may differ, without reading what is kept. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index verifications_to_erase on verifications (account_id, (coalesce(decided_at, created_at)))
      where status <> 'pending' and media_erased_at is null;
    create index calls_to_erase on calls (account_id, ended_at)
      where recording_key is not null and recording_erased_at is null;
    create index calls_to_remove on calls (call_id)
      where recording_key is not null and recording_erased_at is not null;
    drop index calls_recorded;
  `.execute(database)
}
