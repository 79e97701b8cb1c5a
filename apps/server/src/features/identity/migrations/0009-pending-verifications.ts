import { type Kysely, sql } from 'kysely'

/** Adds an index to count an account's pending verifications without reading the decided ones. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index verifications_pending_of_account on verifications (account_id, livemode)
      where status = 'pending' and (livemode or external_id is distinct from 'test_pending_forever')
  `.execute(database)
}
