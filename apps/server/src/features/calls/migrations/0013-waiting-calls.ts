import { type Kysely, sql } from 'kysely'

/**
 * Counts the calls that wait to be dialled at once, apart from those that are scheduled or dialled. Only this index has
 * them in order of `created_at`, so the planner takes no other to count some of them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index calls_waiting_at_once on calls (account_id, livemode, created_at)
      where status = 'queued' and scheduled_at is null and dial_started_at is null
  `.execute(database)
}
