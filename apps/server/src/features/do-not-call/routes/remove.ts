import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChooseOwner } from '../choose-owner.ts'
import type { DoNotCallContext } from '../context.ts'

/** DELETE /v1/do-not-call/{listed_number_id} and /admin/do-not-call/{listed_number_id} */
export function removeListedNumber(
  context: DoNotCallContext,
  chooseOwner: ChooseOwner,
): Handler<Contract['doNotCall']['remove']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const owner = await chooseOwner(context, principal)
    if (!(await context.store.remove(owner, params.listed_number_id)))
      throw new ApiError('not_found', 'There is no such number on this list')
    context.events.record('number_unlisted', { account_id: principal.accountId })
    return { status: 204, body: undefined }
  }
}
