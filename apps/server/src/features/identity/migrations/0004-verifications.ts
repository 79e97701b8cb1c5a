import { type Kysely, sql } from 'kysely'

/**
 * Like calls, verifications change state only by the contract's table of transitions. Stored personal data (`extracted`; not
 * `external_id`) is sealed under the verification's own data key, so erasing that key erases the data and the media.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table verification_transitions (
      from_status text not null,
      to_status text not null,
      primary key (from_status, to_status)
    );
    insert into verification_transitions values
      ('pending', 'approved'), ('pending', 'declined'), ('pending', 'review'),
      ('review', 'approved'), ('review', 'declined');

    create table verifications (
      verification_id text primary key,
      account_id text not null references accounts,
      version smallint not null check (version in (1, 2)),
      status text not null check (status in ('pending', 'approved', 'review', 'declined')),
      livemode boolean not null,
      external_id text,
      callback_url text,
      store_media boolean not null,
      data_key bytea,
      artifacts json not null,
      checks json not null default '[]',
      reasons json not null default '[]',
      policy text not null,
      extracted bytea,
      worker_id text,
      lease_expires_at timestamptz,
      created_at timestamptz not null,
      decided_at timestamptz,
      media_erased_at timestamptz,
      reviewed_by text,
      review_note bytea,
      constraint verifications_decided check ((status in ('approved', 'declined')) = (decided_at is not null))
    );
    create index verifications_of_account on verifications (account_id, verification_id desc);
    create index verifications_of_subject on verifications (account_id, external_id, verification_id desc)
      where external_id is not null;
    create index verifications_pending on verifications (created_at) where status = 'pending';

    create table media_fingerprints (
      account_id text not null references accounts,
      fingerprint bytea not null,
      verification_id text not null,
      external_id text,
      primary key (account_id, fingerprint, verification_id)
    );

    create function check_verification_transition() returns trigger language plpgsql as $$
    begin
      if new.status is distinct from old.status and not exists (
        select from verification_transitions where from_status = old.status and to_status = new.status
      ) then
        raise exception 'verification % cannot go from % to %', old.verification_id, old.status, new.status
          using errcode = 'check_violation', constraint = 'verifications_transition';
      end if;
      return new;
    end $$;
    create trigger verifications_transition before update on verifications
      for each row execute function check_verification_transition();
  `.execute(database)
}
