import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { AdminContext } from '../context.ts'

/** DELETE /admin/caller-ids/{caller_id_id} */
export function removeCallerId(context: AdminContext): Handler<Contract['admin']['removeCallerId']> {
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
