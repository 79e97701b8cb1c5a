import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallsContext } from '../context.ts'
import { requireCall } from './retrieve.ts'

/** DELETE /agent/calls/{call_id}/recording */
export function removeRecording(context: CallsContext): Handler<Contract['calls']['removeRecording']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const call = await requireCall(context, principal, params.call_id)
    if (call.ended_at === null)
      throw new ApiError(
        'state_conflict',
        'The call has not ended; its recording can be removed after the end',
      )
    // A retry after a lost response is not an error, so an erased recording differs from none.
    if (call.recording_key === null && call.recording_erased_at === null)
      throw new ApiError('not_found', 'The call has no recording')
    await context.recordings.erase(call)
    context.events.record('recording_erased', { call_id: call.call_id, account_id: principal.accountId })
    return { status: 204, body: undefined }
  }
}
