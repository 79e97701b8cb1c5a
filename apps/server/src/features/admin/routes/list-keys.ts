import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import { listKeyRows } from '../../../tenancy/key-rows.ts'
import type { AdminContext } from '../context.ts'
import { toApiKey } from '../key-view.ts'

/** GET /admin/keys */
export function listKeys(context: AdminContext): Handler<Contract['admin']['listKeys']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId, livemode } = await chooseTenant(context, principalOf(request), account_id)
    const rows = await listKeyRows(context.database, { accountId, livemode }, { cursor, limit: limit + 1 })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.key_id, view: toApiKey }) }
  }
}
