import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Selectable, sql } from 'kysely'
import type { WatermarkTable } from './tables.ts'

export type MarkedRequest = Pick<Selectable<WatermarkTable>, 'request_id' | 'created_at'>

export interface WatermarkStore {
  /**
   * Assigns a payload to a request. One that was assigned to the same tenant after `repeatedSince` is assigned anew.
   *
   * @returns false if another request has the payload
   */
  assign(request: {
    payload: number
    tenant: Tenant
    requestId: string
    repeatedSince: Date | null
  }): Promise<boolean>
  /** Returns the request of a tenant that a payload leads to. */
  find(tenant: Tenant, payload: number): Promise<MarkedRequest | undefined>
  /** Deletes what has reached its retention. */
  sweep(): Promise<void>
}

const DAY_MS = 86_400_000
const SWEEP_ROWS = 1000

export function createWatermarkStore(options: {
  database: Db
  clock: Clock
  retentionDays: number
}): WatermarkStore {
  const { database, clock, retentionDays } = options
  return {
    async assign({ payload, tenant, requestId, repeatedSince }) {
      const row = await database
        .insertInto('watermarks')
        .values({
          payload,
          account_id: tenant.accountId,
          livemode: tenant.livemode,
          request_id: requestId,
          created_at: new Date(clock.nowMs()),
        })
        .onConflict((conflict) =>
          repeatedSince === null
            ? conflict.doNothing()
            : conflict
                .column('payload')
                .doUpdateSet({ request_id: requestId })
                .where('watermarks.account_id', '=', tenant.accountId)
                .where('watermarks.livemode', '=', tenant.livemode)
                .where('watermarks.created_at', '>', repeatedSince),
        )
        .returning('payload')
        .executeTakeFirst()
      return row !== undefined
    },
    find: ({ accountId, livemode }, payload) =>
      database
        .selectFrom('watermarks')
        .where('payload', '=', payload)
        .where('account_id', '=', accountId)
        .where('livemode', '=', livemode)
        .select(['request_id', 'created_at'])
        .executeTakeFirst(),
    async sweep() {
      const before = new Date(clock.nowMs() - retentionDays * DAY_MS)
      // Deletes by an array, because a join might read the whole table.
      const remove = sql`
        delete from watermarks where ctid = any (array(
          select ctid from watermarks where created_at < ${before} order by created_at limit ${SWEEP_ROWS}))`
      while ((await remove.execute(database)).numAffectedRows === BigInt(SWEEP_ROWS));
    },
  }
}
