import { type Kysely, sql } from 'kysely'

/**
 * Counts how often the checks of each verification were started, and indexes pending verifications by account: first those
 * whose lease expired, then the oldest. The index omits sandbox verifications that never end, because no worker claims them.
 * It also counts an account's pending verifications, as the previous, narrower index did.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table verifications add column attempts smallint not null default 0;
    drop index verifications_pending;
    drop index verifications_pending_of_account;
    create index verifications_claimable on verifications (account_id, livemode, lease_expires_at, created_at)
      where status = 'pending' and (livemode or external_id is distinct from 'test_pending_forever');
    create index verifications_under_way on verifications (account_id)
      where status = 'pending' and worker_id is not null;
  `.execute(database)
}
