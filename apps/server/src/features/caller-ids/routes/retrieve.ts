import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallerIdsContext } from '../context.ts'
import { requireCallerId } from '../require-caller-id.ts'

/** GET /v1/caller-ids/{caller_id_id} */
export function retrieveCallerId(context: CallerIdsContext): Handler<Contract['callerIds']['retrieve']> {
  return async ({ params, request }) => ({
    status: 200,
    body: await requireCallerId(context, principalOf(request), params.caller_id_id),
  })
}
