import type { Policy } from '@vaani/identity-checks'

/** What other features use of verifications. */
export interface IdentityPort {
  /** By name; those of the operator among them. */
  policies: ReadonlyMap<string, Policy>
}
