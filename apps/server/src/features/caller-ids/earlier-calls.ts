import { LIMITS } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'
import type { EarlierCall } from './rules/find-wait.ts'

/** Tells the lock from other advisory locks on a text. */
const LOCK_SEED = 54

export interface NextCall {
  accountId: string
  phoneNumber: string
  rings: boolean
  now: Date
}

/**
 * Lists the last verification calls to a number, newest first: those of all accounts if a phone rings, otherwise those of the account in the
 * simulator. Removed ones count too. Until the transaction ends, no other looks for those of the number.
 */
export async function listEarlierCalls(
  tx: Tx,
  { accountId, phoneNumber, rings, now }: NextCall,
): Promise<EarlierCall[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${phoneNumber}, ${sql.lit(LOCK_SEED)}))`.execute(tx)
  const whose = rings ? sql`rings` : sql`not rings and account_id = ${accountId}`
  const { rows } = await sql<{ created_at: Date; is_under_way: boolean }>`
    select created_at, rings and call_ended_at is null and (worker_id is not null or expires_at > ${now}) as is_under_way
    from caller_id_verifications where ${whose} and phone_number = ${phoneNumber}
    order by created_at desc limit ${sql.lit(LIMITS.callerIdCallsPerDay)}`.execute(tx)
  return rows.map((row) => ({ createdAtMs: row.created_at.getTime(), isUnderWay: row.is_under_way }))
}
