import type { Policy } from '@vaani/identity-checks'

/** What the identity feature offers to the other features. */
export interface IdentityPort {
  /** Built-in policies and those of the operator, by name. */
  policies: ReadonlyMap<string, Policy>
}
