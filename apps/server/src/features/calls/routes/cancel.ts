import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallsContext } from '../context.ts'
import { toCall } from '../view.ts'
import { requireCall } from './retrieve.ts'

/** POST /agent/calls/{call_id}/cancel */
export function cancelCall(context: CallsContext): Handler<Contract['calls']['cancel']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const canceled = await context.calls.cancel(principal, params.call_id)
    if (canceled === undefined) {
      await requireCall(context, principal, params.call_id)
      throw new ApiError('state_conflict', 'The call was answered, or has ended')
    }
    context.events.record('call_canceled', { call_id: canceled.call_id, account_id: principal.accountId })
    return { status: 200, body: toCall(canceled) }
  }
}
