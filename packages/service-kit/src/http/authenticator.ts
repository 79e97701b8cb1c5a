import type { Principal } from './principal.ts'

/** Authenticates API keys. */
export interface Authenticator {
  /** Returns the principal of a key; null if the key is unknown or revoked. */
  authenticate(key: string): Promise<Principal | null>
  /** Whether this process recently found the key valid. Reads only the cache. */
  knows(key: string): boolean
}
