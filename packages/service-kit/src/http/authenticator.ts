import type { FastifyRequest } from 'fastify'
import type { Principal } from './principal.ts'

/** Authenticates callers by a secret: API keys, or the sessions of pages. */
interface SecretAuthenticator {
  /** Returns the principal of a secret; null if it is unknown or revoked. */
  authenticate(secret: string): Promise<Principal | null>
  /** Whether this process recently found the secret valid. Reads only the cache. */
  knows(secret: string): boolean
}

/** Authenticates API keys. */
export interface Authenticator extends SecretAuthenticator {
  /** Authenticates the pages that the service serves, if it serves any. */
  readonly pages?: PageAuthenticator | null
}

/** Authenticates requests that pages of the service make with a session instead of a key. */
export interface PageAuthenticator extends SecretAuthenticator {
  /** Paths of their requests begin with it, and go on like those of others: `/console/api` of `/console/api/agent/calls`. */
  readonly prefix: string
  /** Reads the secret of the session; null if there is none. @throws ApiError if another site may have made the request */
  read(request: FastifyRequest): string | null
  /** Checks that the page acts for the caller that its session stands for now. @throws ApiError */
  check(request: FastifyRequest, principal: Principal): void
  /** Notes a request that succeeded, before its answer is sent; if that fails, so does the request. */
  note(request: FastifyRequest): Promise<void>
}
