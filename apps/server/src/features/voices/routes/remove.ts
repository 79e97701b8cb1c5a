import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { VoicesContext } from '../context.ts'

/** DELETE /v1/voices/{voice_id} */
export function removeVoice({ erasure, events }: VoicesContext): Handler<Contract['voices']['remove']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    if (!(await erasure.erase(principal, params.voice_id)))
      throw new ApiError('not_found', 'There is no such voice in this account')
    events.record('voice_erased', {
      voice_id: params.voice_id,
      account_id: principal.accountId,
      key_id: principal.keyId,
    })
    return { status: 204, body: undefined }
  }
}
