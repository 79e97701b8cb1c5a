import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'

/** DELETE /identity/verifications/{verification_id}/media */
export function removeMedia({
  identity,
  ...context
}: IdentityContext): Handler<Contract['identity']['removeMedia']> {
  return async ({ params, request }) => {
    const row = await requireVerification(
      { identity, ...context },
      principalOf(request),
      params.verification_id,
    )
    if (row.status === 'pending') throw new ApiError('state_conflict', 'The checks have not finished')
    await identity.erasure.eraseMedia(row)
    return { status: 204, body: undefined }
  }
}
