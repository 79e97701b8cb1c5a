import type { Contract } from '@vaani/contracts'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallsContext } from '../context.ts'
import { requireCall } from './retrieve.ts'

/** GET /agent/calls/{call_id}/recording */
export function callRecording(context: CallsContext): Handler<Contract['calls']['recording']> {
  return async ({ params, request, reply }) => {
    const call = await requireCall(context, principalOf(request), params.call_id)
    const recording = await context.recordings.open(call).catch((cause: unknown) => {
      if (cause instanceof BlobError && cause.code === 'not_found')
        throw new ApiError('not_found', 'The recording is no longer kept', { cause })
      throw cause
    })
    if (recording === null)
      throw new ApiError(
        'not_found',
        call.recording_erased_at === null
          ? 'The call has no recording, or none yet'
          : 'The recording is no longer kept',
      )
    reply.header('content-type', 'audio/wav').header('content-length', String(recording.bytes))
    return { status: 200, body: recording.stream }
  }
}
