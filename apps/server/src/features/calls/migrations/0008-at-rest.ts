import { type Kysely, sql } from 'kysely'

/**
 * Gives each recording its own key, so that erasing the key erases the recording, and a retention. Adds an append-only audit
 * log of who created and revoked API keys.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column recording_retention_days smallint check (recording_retention_days between 0 and 3650);

    alter table calls add column recording_data_key bytea, add column recording_erased_at timestamptz;
    create index calls_recorded on calls (ended_at) where recording_key is not null;

    create table audit_log (
      sequence bigint generated always as identity primary key,
      happened_at timestamptz not null,
      action text not null,
      actor text not null,
      account_id text not null,
      key_id text
    );
    create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of audit_log are never changed or removed' using errcode = 'restrict_violation';
    end $$;
    create trigger audit_log_is_kept before update or delete or truncate on audit_log
      for each statement execute function refuse_change_of_audit_log();
  `.execute(database)
}
