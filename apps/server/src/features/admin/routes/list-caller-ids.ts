import type { Contract } from '@vaani/contracts'
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
    const rows = await context.callerIds.list({ accountId, livemode }, { cursor, limit: limit + 1 })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.caller_id_id, view: toCallerId }) }
  }
}
