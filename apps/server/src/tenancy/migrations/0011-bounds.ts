import { type Kysely, sql } from 'kysely'

/** Adds indexes to count keys without reading revoked ones, and to list by status without reading other statuses. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index api_keys_in_use on api_keys (account_id, livemode) where revoked_at is null;
    create index calls_by_status on calls (account_id, livemode, status, call_id desc);
    create index verifications_by_status on verifications (account_id, livemode, status, verification_id desc);
  `.execute(database)
}
