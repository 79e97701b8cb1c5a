import { type Kysely, sql } from 'kysely'

/**
 * Adds leases of workers. The fill factor leaves room for the next version of a row on its page, so a renewal updates no
 * index. Work in progress is found by its worker. A verification's earliest next claim gets its own column, and waiting
 * verifications get an index that excludes those being checked.
 *
 * The columns `lease_expires_at` and their indexes remain for earlier versions, which lease each row.
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
