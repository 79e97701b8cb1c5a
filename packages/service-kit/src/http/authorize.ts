import type { RouteMetadata } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AddressLimits } from './limits/address-limits.ts'
import { ApiError } from './errors/api-error.ts'
import type { Authenticator } from './authenticator.ts'
import { innerCallerOf } from './inner/inner-requests.ts'
import { isOfPage } from './page-requests.ts'
import type { Principal } from './principal.ts'

const MIN_KEY_LENGTH = 24
const MAX_KEY_LENGTH = 200
const KEY_PATTERN = /^sk_(?:test|live)_[A-Za-z0-9_-]+$/
/** Longer than a license with the most and longest models. */
export const MAX_LICENSE_LENGTH = 8192
/** A JWT in its compact form. */
const LICENSE_PATTERN = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/

/** Reads the key or license from an `Authorization: Bearer` header; null if it is absent or malformed. */
export function readBearerKey(header: string | undefined): string | null {
  if (header === undefined || header.length > MAX_LICENSE_LENGTH + 'Bearer '.length) return null
  const match = /^bearer +(\S+)$/i.exec(header)
  const key = match?.[1]
  if (key === undefined || key.length < MIN_KEY_LENGTH) return null
  const isKey = key.length <= MAX_KEY_LENGTH && KEY_PATTERN.test(key)
  return isKey || LICENSE_PATTERN.test(key) ? key : null
}

/**
 * Reads the key from the header, or for a WebSocket, on which browsers cannot set one, from an offered subprotocol; null if it
 * is absent or malformed.
 */
function readKey({ headers, routeOptions }: FastifyRequest): string | null {
  const { socket } = routeOptions.config
  if (headers.authorization !== undefined || socket === undefined) return readBearerKey(headers.authorization)
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
  const named = offered.find((name) => name.startsWith(socket.keyProtocolPrefix))
  return readBearerKey(named && `Bearer ${named.slice(socket.keyProtocolPrefix.length)}`)
}

/** Sets the principal of a request. Throws 401 without a valid key, and 403 if the key lacks the route's scope. */
export async function authorize(options: {
  request: FastifyRequest
  reply: FastifyReply
  metadata: RouteMetadata
  authenticator: Authenticator
  addressLimits: AddressLimits
}): Promise<void> {
  const { request, reply, metadata, authenticator, addressLimits } = options
  const principal =
    innerCallerOf(request.raw) ?? (await authenticate({ request, reply, authenticator, addressLimits }))
  request.principal = principal
  if (metadata.scope !== null && !principal.scopes.has(metadata.scope))
    throw new ApiError('forbidden', `The key lacks the scope ${metadata.scope}`)
}

async function authenticate(options: {
  request: FastifyRequest
  reply: FastifyReply
  authenticator: Authenticator
  addressLimits: AddressLimits
}): Promise<Principal> {
  const { request, reply, authenticator, addressLimits } = options
  const pages = isOfPage(request) ? authenticator.pages : undefined
  const secret = !pages ? readKey(request) : pages.read(request)
  const by = pages ?? authenticator
  // Recently valid keys are exempt, so that failed attempts of others at the same address do not block them.
  const refusal = addressLimits.refusalOf('failed_authentications', request)
  if (refusal !== null && (secret === null || !by.knows(secret))) throw refusal
  const principal = secret === null ? null : await by.authenticate(secret)
  if (principal === null) {
    await addressLimits.consume('failed_authentications', request, reply)
    throw new ApiError(
      'unauthorized',
      !pages
        ? 'Send a valid API key in the header Authorization: Bearer <API_KEY>'
        : 'The session has ended: sign in again',
    )
  }
  pages?.check(request, principal)
  return principal
}

/** Returns the caller. Only for handlers of routes that need a key. */
export function principalOf(request: { principal: Principal | null }): Principal {
  if (request.principal === null) throw new Error('A route that needs a key was reached without one')
  return request.principal
}

/**
 * Returns the refusal of a request whose body or query names a model that its caller may not use; null if there is none.
 *
 * @param named body or query
 */
export function refuseModel(principal: Principal | null, named: unknown): ApiError | null {
  const models = principal?.models
  if (models === undefined || typeof named !== 'object' || named === null || !('model' in named)) return null
  if (typeof named.model !== 'string' || models.has(named.model)) return null
  return new ApiError('forbidden', 'model: is not part of the license of this server', { param: 'model' })
}
