import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallsContext } from '../context.ts'
import { requireCall } from './retrieve.ts'

/** GET /agent/calls/{call_id}/transcript */
export function callTranscript(context: CallsContext): Handler<Contract['calls']['transcript']> {
  return async ({ params, request }) => {
    const call = await requireCall(context, principalOf(request), params.call_id)
    const turns = await context.recordings.turns(call)
    if (turns === null)
      throw new ApiError(
        'not_found',
        call.recording_erased_at === null
          ? 'The call has no transcript, or none yet'
          : 'The transcript is no longer kept',
      )
    return { status: 200, body: { call_id: params.call_id, turns } }
  }
}
