import type { Contract } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import { toCallerId } from '../caller-id-view.ts'
import type { AdminContext } from '../context.ts'

/** GET /admin/caller-ids */
export function listCallerIds(context: AdminContext): Handler<Contract['admin']['listCallerIds']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId, livemode } = await chooseTenant(context, principalOf(request), account_id)
    let query = context.database
      .selectFrom('caller_ids')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .where('removed_at', 'is', null)
      .selectAll()
    if (cursor !== undefined) query = query.where('caller_id_id', '<', cursor)
    const rows = await query
      .orderBy('account_id')
      .orderBy('caller_id_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.caller_id_id, view: toCallerId }) }
  }
}
