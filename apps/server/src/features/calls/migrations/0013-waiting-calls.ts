import { type Kysely, sql } from 'kysely'

/**
 * Adds an index to count unscheduled calls that wait to be dialled. Only this index has them in order of `created_at`, so the
 * planner has no other choice when a count is ordered by it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index calls_waiting_at_once on calls (account_id, livemode, created_at)
      where status = 'queued' and scheduled_at is null and dial_started_at is null
  `.execute(database)
}
