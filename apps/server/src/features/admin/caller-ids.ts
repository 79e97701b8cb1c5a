import type { callerIdSchema, Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { AppContext } from '../../context.ts'
import type { Db } from '@vaani/service-kit/database/connect'
import type { CallerIdTable } from '../../database/schema.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { chooseTenant, requireOperator } from '../../tenancy/choose-tenant.ts'

type CallerId = z.output<typeof callerIdSchema>

export interface CallerIdStore {
  isVerified(tenant: Tenant, phoneNumber: string): Promise<boolean>
}

export function createCallerIdStore(database: Db): CallerIdStore {
  return {
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
  }
}

const toCallerId = (row: Selectable<CallerIdTable>): CallerId => ({
  caller_id_id: row.caller_id_id as CallerId['caller_id_id'],
  account_id: row.account_id as CallerId['account_id'],
  livemode: row.livemode,
  phone_number: row.phone_number,
  verified_at: row.verified_at.toISOString(),
})

/** POST /admin/caller-ids */
export function addCallerId(context: AppContext): Handler<Contract['admin']['addCallerId']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    requireOperator(principal)
    const { accountId, livemode } = await chooseTenant(context, principal, body.account_id)
    const row = await context.database
      .insertInto('caller_ids')
      .values({
        caller_id_id: context.makeId('caller_id'),
        account_id: accountId,
        livemode,
        phone_number: body.phone_number,
        verified_at: new Date(context.clock.nowMs()),
        removed_at: null,
      })
      // Adding a number twice gives the first entry.
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'livemode', 'phone_number'])
          .where('removed_at', 'is', null)
          .doUpdateSet({ verified_at: sql`caller_ids.verified_at` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return { status: 201, body: toCallerId(row) }
  }
}

/** GET /admin/caller-ids */
export function listCallerIds(context: AppContext): Handler<Contract['admin']['listCallerIds']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId, livemode } = await chooseTenant(context, principalOf(request), account_id)
    let query = context.database
      .selectFrom('caller_ids')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('removed_at', 'is', null)
      .selectAll()
    if (cursor !== undefined) query = query.where('caller_id_id', '<', cursor)
    const rows = await query
      .orderBy('caller_id_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.caller_id_id, view: toCallerId }) }
  }
}

/** DELETE /admin/caller-ids/{caller_id_id} */
export function removeCallerId(context: AppContext): Handler<Contract['admin']['removeCallerId']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    let update = context.database
      .updateTable('caller_ids')
      .set({ removed_at: new Date(context.clock.nowMs()) })
      .where('caller_id_id', '=', params.caller_id_id)
      .where('livemode', '=', principal.livemode)
      .where('removed_at', 'is', null)
    if (!principal.operator) update = update.where('account_id', '=', principal.accountId)
    const row = await update.returning('caller_id_id').executeTakeFirst()
    if (row === undefined) throw new ApiError('not_found', 'There is no such caller id in this account')
    return { status: 204, body: undefined }
  }
}
