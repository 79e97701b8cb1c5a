import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { toAccount, type AccountRow } from '../account-view.ts'
import type { AdminContext } from '../context.ts'

/** GET /admin/accounts */
export function listAccounts(context: AdminContext): Handler<Contract['admin']['listAccounts']> {
  return async ({ query: { limit, cursor }, request }) => {
    const principal = principalOf(request)
    let query = context.database.selectFrom('accounts').selectAll()
    if (!principal.operator) query = query.where('account_id', '=', principal.accountId)
    if (cursor !== undefined) query = query.where('account_id', '<', cursor)
    const rows = await query
      .orderBy('account_id', 'desc')
      .limit(limit + 1)
      .execute()
    const view = (row: AccountRow) => toAccount(row, principal.livemode)
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.account_id, view }) }
  }
}
