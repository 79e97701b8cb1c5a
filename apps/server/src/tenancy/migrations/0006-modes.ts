import { type Kysely, sql } from 'kysely'

/**
 * Assigns everything stored to one mode of its account. Rows of earlier versions have no mode: they become live if the account
 * has a live key, and test otherwise. Agents and idempotency keys served both modes, so they are copied to both.
 *
 * `reviewed_by` distinguishes a person's decision from an automatic one, so the trigger refuses either in place of the other,
 * from any writer.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table account_modes on commit drop as
      select a.account_id, exists (select from api_keys k where k.account_id = a.account_id and k.livemode) as livemode
      from accounts a;

    alter table accounts add column test_call_webhook_url text;
    update accounts set test_call_webhook_url = call_webhook_url;

    drop index api_keys_of_account;
    create index api_keys_of_account on api_keys (account_id, livemode, key_id desc);

    alter table caller_ids add column livemode boolean;
    update caller_ids c set livemode = m.livemode from account_modes m where m.account_id = c.account_id;
    alter table caller_ids alter column livemode set not null;
    drop index caller_ids_in_use;
    create unique index caller_ids_in_use on caller_ids (account_id, livemode, phone_number) where removed_at is null;

    alter table calls drop constraint calls_agent;
    alter table agents drop constraint agents_pkey, add column livemode boolean not null default false;
    alter table agents alter column livemode drop default;
    insert into agents (account_id, agent_id, name, language, voice, greeting, translations, livemode)
      select account_id, agent_id, name, language, voice, greeting, translations, true from agents;
    alter table agents add primary key (account_id, livemode, agent_id);

    alter table calls add column livemode boolean;
    update calls c set livemode = m.livemode from account_modes m where m.account_id = c.account_id;
    alter table calls
      alter column livemode set not null,
      add constraint calls_agent foreign key (account_id, livemode, agent_id) references agents;
    drop index calls_of_account, calls_waiting;
    create index calls_of_account on calls (account_id, livemode, call_id desc);
    create index calls_waiting on calls (account_id, livemode)
      where status = 'queued' and scheduled_at is not null and dial_started_at is null;

    alter table events add column livemode boolean;
    update events e set livemode = coalesce(
      (select v.livemode from verifications v where v.verification_id = e.object_id),
      (select m.livemode from account_modes m where m.account_id = e.account_id));
    alter table events alter column livemode set not null;

    alter table idempotency_keys drop constraint idempotency_keys_pkey, add column livemode boolean not null default false;
    alter table idempotency_keys alter column livemode drop default;
    insert into idempotency_keys (account_id, key, fingerprint, status, body, locked_until, created_at, livemode)
      select account_id, key, fingerprint, status, body, locked_until, created_at, true from idempotency_keys;
    alter table idempotency_keys add primary key (account_id, livemode, key);

    alter table media_fingerprints add column livemode boolean;
    update media_fingerprints f set livemode = v.livemode from verifications v where v.verification_id = f.verification_id;
    delete from media_fingerprints where livemode is null;
    alter table media_fingerprints alter column livemode set not null, drop constraint media_fingerprints_pkey;
    alter table media_fingerprints add primary key (account_id, livemode, fingerprint, verification_id);

    drop index verifications_of_account, verifications_of_subject;
    create index verifications_of_account on verifications (account_id, livemode, verification_id desc);
    create index verifications_of_subject on verifications (account_id, livemode, external_id, verification_id desc)
      where external_id is not null;

    create or replace function check_verification_transition() returns trigger language plpgsql as $$
    begin
      if new.status is not distinct from old.status then
        return new;
      end if;
      if not exists (
        select from verification_transitions where from_status = old.status and to_status = new.status
      ) then
        raise exception 'verification % cannot go from % to %', old.verification_id, old.status, new.status
          using errcode = 'check_violation', constraint = 'verifications_transition';
      end if;
      if (old.status = 'review') <> (new.reviewed_by is not null) then
        raise exception 'verification % leaves % by the other kind of decision', old.verification_id, old.status
          using errcode = 'check_violation', constraint = 'verifications_reviewer';
      end if;
      return new;
    end $$;
  `.execute(database)
}
