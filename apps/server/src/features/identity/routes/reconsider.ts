import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { openExtracted } from '../extracted.ts'
import { requireVerification } from '../require-verification.ts'
import { decideBy } from '../decide-by.ts'
import { shouldResubmit } from '../rules/resubmit.ts'
import { toVerification } from '../view.ts'

/** POST /identity/verifications/{verification_id}/reconsider */
export function reconsiderVerification(
  context: IdentityContext,
): Handler<Contract['identity']['reconsider']> {
  return async ({ params, body, request }) => {
    const row = await requireVerification(context, principalOf(request), params.verification_id)
    if (request.idempotency) request.idempotency.objectId = row.verification_id
    if (row.status === 'pending') throw new ApiError('state_conflict', 'The checks have not finished')
    const policy = context.identity.policies.get(body.policy)
    if (policy === undefined)
      throw new ApiError('invalid_request', 'policy: is not the name of a policy', { param: 'policy' })
    const { decision, reasons } = decideBy(policy, {
      checks: row.checks,
      extracted: openExtracted(context.vault, row),
      livemode: row.livemode,
      nowMs: context.clock.nowMs(),
    })
    return {
      status: 200,
      body: {
        ...toVerification({ ...row, policy: policy.name, reasons: [...reasons] }),
        decision,
        resubmit: shouldResubmit({ status: decision, reasons }),
      },
    }
  }
}
