import type { Principal } from './principal.ts'

/** Says whose key a key is. */
export interface Authenticator {
  /** The principal of a key, or null for one that is unknown or revoked. */
  authenticate(key: string): Promise<Principal | null>
  /** Whether a key was good in this process not long ago. Asks nobody. */
  knows(key: string): boolean
}
