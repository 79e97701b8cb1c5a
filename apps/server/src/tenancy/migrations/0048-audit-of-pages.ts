import { type Kysely, sql } from 'kysely'

/**
 * Lets accounts read their part of the audit log, in pages by id, and adds what an entry was about. Entries of versions before this one,
 * also during a rollout, get ids that sort before those of this version.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_log disable trigger audit_log_is_kept;
    alter table audit_log
      add column entry_id text,
      add column livemode boolean not null default false,
      add column object_id text;
    update audit_log set
      entry_id = 'aud_' || lpad(sequence::text, 26, '0'),
      livemode = coalesce((select livemode from api_keys where api_keys.key_id = audit_log.key_id), false);
    alter table audit_log
      alter column entry_id set not null,
      alter column entry_id set default 'aud_00' || lpad((extract(epoch from clock_timestamp()) * 1000000)::bigint::text, 24, '0');
    alter table audit_log enable trigger audit_log_is_kept;
    create index audit_log_of_account on audit_log (account_id, livemode, entry_id desc);
    create index audit_log_of_object on audit_log (account_id, livemode, object_id, entry_id desc)
      where object_id is not null;
  `.execute(database)
}
