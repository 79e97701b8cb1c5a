import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** GET /admin/members/{member_id} */
export function retrieveMember({
  database,
  store,
}: MembersContext): Handler<Contract['members']['retrieve']> {
  return async ({ params, request }) => {
    const { operator, accountId } = principalOf(request)
    const row = await store.find(database, params.member_id)
    if (row === undefined || (!operator && row.account_id !== accountId))
      throw new ApiError('not_found', 'There is no such member in this account')
    return { status: 200, body: toMember(row) }
  }
}
