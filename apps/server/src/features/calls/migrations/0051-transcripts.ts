import { type Kysely, sql } from 'kysely'

/**
 * Keeps what was said in a call, sealed with the key of its recording. A trigger removes it when that key is erased, and a foreign key
 * with the call, because the previous version does both beside this one.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table call_transcripts (
      call_id text primary key references calls on delete cascade,
      turns bytea not null
    );
    create function erase_call_transcript() returns trigger language plpgsql as $$
    begin
      delete from call_transcripts where call_id = new.call_id;
      return null;
    end $$;
    create trigger calls_erase_transcript after update of recording_erased_at on calls for each row
      when (new.recording_erased_at is not null) execute function erase_call_transcript();
  `.execute(database)
}
