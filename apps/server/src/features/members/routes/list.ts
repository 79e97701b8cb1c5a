import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import { listMemberRows } from '../../../tenancy/member-rows.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** GET /admin/members */
export function listMembers(context: MembersContext): Handler<Contract['members']['list']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId } = await chooseTenant(context, principalOf(request), account_id)
    const rows = await listMemberRows(context.database, accountId, { limit, cursor })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.member_id, view: toMember }) }
  }
}
