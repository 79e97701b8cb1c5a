import { type Kysely, sql } from 'kysely'

/**
 * Cloned voices. The voice is sealed under the data key of its row, like its recordings in the blob store, so erasing that key
 * erases both. A row outlives its recordings, so that a sweep finds what a crash left.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table voices (
      voice_id text primary key,
      account_id text not null references accounts,
      livemode boolean not null,
      name text not null,
      language text,
      state text not null check (state in ('storing', 'ready', 'erased')),
      data_key bytea,
      voice bytea,
      recordings smallint not null,
      consent_key_id text not null,
      consented_at timestamptz not null,
      created_at timestamptz not null,
      constraint voices_ready check (state <> 'ready' or (data_key is not null and voice is not null)),
      constraint voices_erased check (state <> 'erased' or (data_key is null and voice is null))
    );
    create index voices_of_account on voices (account_id, livemode, voice_id desc);
    create index voices_to_erase on voices (created_at) where state <> 'ready';
  `.execute(database)
}
