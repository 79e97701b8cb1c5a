import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'

/** DELETE /identity/subjects/{external_id} */
export function eraseSubject({
  identity,
  events,
}: IdentityContext): Handler<Contract['identity']['eraseSubject']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const count = await identity.erasure.eraseSubject(principal, params.external_id)
    if (count === null)
      throw new ApiError('state_conflict', 'A verification of this person is pending', {
        param: 'external_id',
        retryAfterSeconds: 5,
      })
    const { accountId, keyId } = principal
    if (count > 0) events.record('person_erased', { account_id: accountId, key_id: keyId, count })
    return { status: 204, body: undefined }
  }
}
