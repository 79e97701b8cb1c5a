import type { RouteMetadata } from '@vaani/contracts'
import { ApiError } from './api-error.ts'
import type { Principal } from './principal.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readBearerKey } from '../../../../apps/server/src/tenancy/api-key.ts'
import type { Authenticator } from '../../../../apps/server/src/tenancy/authenticator.ts'
import type { AddressLimits } from './address-limits.ts'

/** Sets the principal of a request: 401 without a good key, 403 if the key lacks the route's scope. */
export async function authorize(options: {
  request: FastifyRequest
  reply: FastifyReply
  metadata: RouteMetadata
  authenticator: Authenticator
  addressLimits: AddressLimits
}): Promise<void> {
  const { request, reply, metadata, authenticator, addressLimits } = options
  const key = readBearerKey(request.headers.authorization)
  // A key that was good here before does not suffer from what others of its address try.
  const refusal = addressLimits.refusalOf('failed_authentications', request)
  if (refusal !== null && (key === null || !authenticator.knows(key))) throw refusal
  const principal = key === null ? null : await authenticator.authenticate(key)
  if (principal === null) {
    await addressLimits.consume('failed_authentications', request, reply)
    throw new ApiError('unauthorized', 'Send a valid API key in the header Authorization: Bearer <API_KEY>')
  }
  if (metadata.scope !== null && !principal.scopes.has(metadata.scope))
    throw new ApiError('forbidden', `The key lacks the scope ${metadata.scope}`)
  request.principal = principal
}

/** Who asks. Only for handlers of routes that need a key. */
export function principalOf(request: { principal: Principal | null }): Principal {
  if (request.principal === null) throw new Error('A route that needs a key was reached without one')
  return request.principal
}
