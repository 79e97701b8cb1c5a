import { type Kysely, sql } from 'kysely'

/**
 * Each verification counts how often its checks were begun, and pending ones are found by account: first those whose lease
 * ran out, then the oldest. Those of the sandbox that never end are not in that index, because nobody ever claims them. It
 * counts what an account has pending as well as the narrower index before it.
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
