import type { Id } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { CallerIdTable } from './tables.ts'

export type CallerIdRow = Selectable<CallerIdTable>

export interface CallerIdStore {
  isVerified(tenant: Tenant, phoneNumber: string): Promise<boolean>
  find(tenant: Tenant, callerIdId: string): Promise<CallerIdRow | undefined>
  /** Lists the numbers of a tenant, the newest first. */
  list(tenant: Tenant, page: { cursor: string | undefined; limit: number }): Promise<CallerIdRow[]>
  /** Adds a number. One that the tenant has already is returned as it is. @param tx transaction to add it in */
  add(row: Insertable<CallerIdTable>, tx?: Db): Promise<CallerIdRow>
  /** Removes a number of the mode. @param options.only the account that it must belong to; null for any */
  remove(
    callerIdId: string,
    options: { livemode: boolean; only: Id<'account'> | null; now: Date },
  ): Promise<boolean>
}

export const createCallerIdStore = (database: Db): CallerIdStore => ({
  async isVerified({ accountId, livemode }, phoneNumber) {
    const row = await database
      .selectFrom('caller_ids')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('phone_number', '=', phoneNumber)
      .where('removed_at', 'is', null)
      .select('caller_id_id')
      .executeTakeFirst()
    return row !== undefined
  },
  find: ({ accountId, livemode }, callerIdId) =>
    database
      .selectFrom('caller_ids')
      .where('caller_id_id', '=', callerIdId)
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('removed_at', 'is', null)
      .selectAll()
      .executeTakeFirst(),
  list({ accountId, livemode }, { cursor, limit }) {
    let query = database
      .selectFrom('caller_ids')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .where('removed_at', 'is', null)
      .selectAll()
    if (cursor !== undefined) query = query.where('caller_id_id', '<', cursor)
    return query.orderBy('account_id').orderBy('caller_id_id', 'desc').limit(limit).execute()
  },
  add: (row, tx = database) =>
    tx
      .insertInto('caller_ids')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'livemode', 'phone_number'])
          .where('removed_at', 'is', null)
          .doUpdateSet({ verified_at: sql`caller_ids.verified_at` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  async remove(callerIdId, { livemode, only, now }) {
    let update = database
      .updateTable('caller_ids')
      .set({ removed_at: now })
      .where('caller_id_id', '=', callerIdId)
      .where('livemode', '=', livemode)
      .where('removed_at', 'is', null)
    if (only !== null) update = update.where('account_id', '=', only)
    return (await update.returning('caller_id_id').executeTakeFirst()) !== undefined
  },
})
