import type { Db } from '@vaani/service-kit/database/connect'
import { isLeased } from '@vaani/service-kit/leases/abandoned'
import { sql } from 'kysely'
import type { VerificationRow } from './store.ts'

/** Must match the predicate of the index word for word. */
const IS_UNDER_WAY = sql`call_ended_at is null`
const ROWS_AT_ONCE = 100

interface VerificationClaim {
  workerId: string
  room: number
  /** Ids of those that the worker carries. */
  held: readonly string[]
  now: Date
}

/**
 * Claims verifications whose number is to be called, oldest first. Nobody is rung twice: those of a worker that is gone, or whose claim or
 * end this worker lost, end as interrupted.
 */
export async function claimVerifications(
  database: Db,
  { workerId, room, held, now }: VerificationClaim,
): Promise<VerificationRow[]> {
  const { rows: some } = await sql`
    select from caller_id_verifications where ${IS_UNDER_WAY} limit 1`.execute(database)
  if (some.length === 0) return []
  await sql`
    with over as materialized (
      select caller_id_id, worker_id from caller_id_verifications
      where ${IS_UNDER_WAY} and (
        case when worker_id is null then expires_at <= ${now} or verified_at is not null or removed_at is not null
        else (worker_id = ${workerId} and caller_id_id <> all (${held}::text[])) or not ${isLeasedByColumn} end)
      order by created_at limit ${ROWS_AT_ONCE} for update skip locked
    )
    update caller_id_verifications as ended
    set call_ended_at = ${now}, failure_reason = case when over.worker_id is not null then 'interrupted' end
    from over where ended.caller_id_id = over.caller_id_id`.execute(database)
  const { rows } = await sql<VerificationRow>`
    with due as materialized (
      select caller_id_id from caller_id_verifications
      where ${IS_UNDER_WAY} and worker_id is null and verified_at is null and removed_at is null and expires_at > ${now}
      order by created_at limit ${room} for update skip locked
    )
    update caller_id_verifications as claimed set worker_id = ${workerId}
    from due where claimed.caller_id_id = due.caller_id_id and ${isLeased(workerId)}
    returning claimed.*`.execute(database)
  return rows
}

const isLeasedByColumn = sql`exists (select from leases where leases.worker_id = caller_id_verifications.worker_id)`
