import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { AdminContext } from '../context.ts'

/** DELETE /admin/caller-ids/{caller_id_id} */
export function removeCallerId(context: AdminContext): Handler<Contract['admin']['removeCallerId']> {
  return async ({ params, request }) => {
    const { livemode, operator, accountId } = principalOf(request)
    const options = { livemode, only: operator ? null : accountId, now: new Date(context.clock.nowMs()) }
    if (!(await context.callerIds.remove(params.caller_id_id, options)))
      throw new ApiError('not_found', 'There is no such caller id in this account')
    return { status: 204, body: undefined }
  }
}
