import { type Kysely, sql } from 'kysely'

/**
 * Leases of workers, in rows that have room for their next version beside them: a renewal changes no index. What is under way
 * is found by its worker. A verification says by a column of its own until when nobody takes it up, and those that wait are in
 * an index that those being checked are not in.
 *
 * The columns `lease_expires_at` and the indexes on them stay for earlier versions, which lease by them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      worker_id text primary key,
      expires_at timestamptz not null
    ) with (fillfactor = 50);

    create index calls_held on calls (worker_id) where ended_at is null and dial_started_at is not null;

    alter table verifications add column not_before timestamptz;
    create index verifications_held on verifications (worker_id) where status = 'pending' and worker_id is not null;
    create index verifications_waiting on verifications (account_id, livemode, not_before, created_at)
      where status = 'pending' and worker_id is null
        and (livemode or external_id is distinct from 'test_pending_forever');
  `.execute(database)
}
