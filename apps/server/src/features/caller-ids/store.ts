import { type CallerIdFailureReason, LIMITS } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { CallerIdVerificationTable } from './tables.ts'

export type VerificationRow = Selectable<CallerIdVerificationTable>

const IS_OPEN = sql<boolean>`verified_at is null and removed_at is null`

export interface VerificationStore {
  insert(tx: Tx, row: Insertable<CallerIdVerificationTable>): Promise<VerificationRow>
  /** Finds a verification that was neither verified nor removed. */
  find(tenant: Tenant, callerIdId: string): Promise<VerificationRow | undefined>
  list(tenant: Tenant, page: { cursor: string | undefined; limit: number }): Promise<VerificationRow[]>
  /** Counts an attempt before its code is compared, so that no number of attempts at once exceeds the limit; undefined if it is not pending. */
  countAttempt(tenant: Tenant, callerIdId: string, now: Date): Promise<VerificationRow | undefined>
  /** @returns whether it was pending until now */
  markVerified(tx: Tx, callerIdId: string, now: Date): Promise<boolean>
  remove(tenant: Tenant, callerIdId: string, now: Date): Promise<boolean>
  /** Notes the end of a call; false if this worker no longer held it. */
  endCall(
    callerIdId: string,
    end: { workerId: string; failure: CallerIdFailureReason | null; now: Date },
  ): Promise<boolean>
  /** Deletes up to a thousand that can count for nothing any more. @returns how many */
  sweep(createdBefore: Date): Promise<number>
}

const SWEPT_AT_ONCE = 1000

export function createVerificationStore(database: Db): VerificationStore {
  const openOf = ({ accountId, livemode }: Tenant) =>
    database
      .selectFrom('caller_id_verifications')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .where(IS_OPEN)
      .selectAll()
  const updateOpen = ({ accountId, livemode }: Tenant, callerIdId: string) =>
    database
      .updateTable('caller_id_verifications')
      .where('caller_id_id', '=', callerIdId)
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where(IS_OPEN)
  return {
    insert: (tx, row) =>
      tx.insertInto('caller_id_verifications').values(row).returningAll().executeTakeFirstOrThrow(),
    find: (tenant, callerIdId) => openOf(tenant).where('caller_id_id', '=', callerIdId).executeTakeFirst(),
    list(tenant, { cursor, limit }) {
      let query = openOf(tenant)
      if (cursor !== undefined) query = query.where('caller_id_id', '<', cursor)
      return query.orderBy('account_id').orderBy('caller_id_id', 'desc').limit(limit).execute()
    },
    countAttempt: (tenant, callerIdId, now) =>
      updateOpen(tenant, callerIdId)
        .set({ attempts: sql`attempts + 1` })
        .where('failure_reason', 'is', null)
        .where('attempts', '<', LIMITS.callerIdCodeAttempts)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),
    async markVerified(tx, callerIdId, now) {
      const { numUpdatedRows } = await tx
        .updateTable('caller_id_verifications')
        .set({ verified_at: now })
        .where('caller_id_id', '=', callerIdId)
        .where(IS_OPEN)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async remove(tenant, callerIdId, now) {
      const { numUpdatedRows } = await updateOpen(tenant, callerIdId)
        .set({ removed_at: now })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async endCall(callerIdId, { workerId, failure, now }) {
      const { numUpdatedRows } = await database
        .updateTable('caller_id_verifications')
        .set({ call_ended_at: now, failure_reason: failure })
        .where('caller_id_id', '=', callerIdId)
        .where('worker_id', '=', workerId)
        .where('call_ended_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async sweep(createdBefore) {
      const { numAffectedRows } = await sql`
        delete from caller_id_verifications where ctid = any (array(
          select ctid from caller_id_verifications where created_at < ${createdBefore}
          order by created_at limit ${sql.lit(SWEPT_AT_ONCE)}))`.execute(database)
      return Number(numAffectedRows)
    },
  }
}
