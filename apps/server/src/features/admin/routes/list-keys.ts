import type { Contract } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import type { AdminContext } from '../context.ts'
import { toApiKey } from '../key-view.ts'

/** GET /admin/keys */
export function listKeys(context: AdminContext): Handler<Contract['admin']['listKeys']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId, livemode } = await chooseTenant(context, principalOf(request), account_id)
    let query = context.database
      .selectFrom('api_keys')
      .where('account_id', '=', anyOf(accountId))
      .where('livemode', '=', livemode)
      .selectAll()
    if (cursor !== undefined) query = query.where('key_id', '<', cursor)
    const rows = await query
      .orderBy('account_id')
      .orderBy('key_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.key_id, view: toApiKey }) }
  }
}
