import { type Kysely, sql } from 'kysely'

/** Counts what an account has pending without reading what it has decided. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index verifications_pending_of_account on verifications (account_id, livemode)
      where status = 'pending' and (livemode or external_id is distinct from 'test_pending_forever')
  `.execute(database)
}
