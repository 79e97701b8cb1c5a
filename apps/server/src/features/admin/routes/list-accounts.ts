import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { type AccountRow, listAccountRows } from '../../../tenancy/account-rows.ts'
import { toAccount } from '../account-view.ts'
import type { AdminContext } from '../context.ts'

/** GET /admin/accounts */
export function listAccounts(context: AdminContext): Handler<Contract['admin']['listAccounts']> {
  return async ({ query: { limit, cursor }, request }) => {
    const principal = principalOf(request)
    const only = principal.operator ? null : principal.accountId
    const rows = await listAccountRows(context.database, { only, cursor, limit: limit + 1 })
    const view = (row: AccountRow) => toAccount(row, principal.livemode)
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.account_id, view }) }
  }
}
