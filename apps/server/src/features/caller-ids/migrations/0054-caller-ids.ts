import { type Kysely, sql } from 'kysely'

/**
 * Adds verifications of caller ids by a call. They are no rows of `caller_ids` until they are verified, because earlier versions, which
 * run beside this one during a rollout, take all of those for verified.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table caller_ids add column source text not null default 'operator';
    create table caller_id_verifications (
      caller_id_id text primary key,
      account_id text not null references accounts on delete cascade,
      livemode boolean not null,
      phone_number text not null,
      language text not null,
      carrier text not null,
      rings boolean not null,
      attempts integer not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      worker_id text,
      call_ended_at timestamptz,
      failure_reason text,
      verified_at timestamptz,
      removed_at timestamptz
    );
    create index caller_id_verifications_of_account on caller_id_verifications (account_id, livemode, caller_id_id desc)
      where verified_at is null and removed_at is null;
    create index caller_id_verifications_ringing on caller_id_verifications (phone_number, created_at desc) where rings;
    create index caller_id_verifications_simulated
      on caller_id_verifications (account_id, phone_number, created_at desc) where not rings;
    create index caller_id_verifications_under_way on caller_id_verifications (created_at) where call_ended_at is null;
    create index caller_id_verifications_by_age on caller_id_verifications (created_at);
  `.execute(database)
}
