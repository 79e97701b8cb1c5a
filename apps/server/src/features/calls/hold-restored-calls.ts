import type { Db } from '@vaani/service-kit/database/connect'
import { EARLIER_VERSIONS_WAIT } from '@vaani/service-kit/leases/abandoned'
import { sql } from 'kysely'

/** A worker that never exists, so the next one ends its calls as interrupted. */
const GONE = 'restored'
const CALLS_AT_ONCE = 1000

/**
 * Keeps the queued calls of a restored database whose time has come from being dialled, because they may have been dialled after
 * the backup. No worker may run meanwhile.
 *
 * @returns how many there were
 */
export async function holdRestoredCalls(database: Db, now: Date): Promise<number> {
  for (let held = 0; ;) {
    const { rows } = await sql`
      update calls
      set dial_started_at = ${now}, worker_id = ${GONE}, lease_expires_at = ${EARLIER_VERSIONS_WAIT}
      where call_id in (
        select call_id from calls
        where status = 'queued' and dial_started_at is null and coalesce(scheduled_at, created_at) <= ${now}
        limit ${sql.lit(CALLS_AT_ONCE)})
      returning 1`.execute(database)
    held += rows.length
    if (rows.length < CALLS_AT_ONCE) return held
  }
}
