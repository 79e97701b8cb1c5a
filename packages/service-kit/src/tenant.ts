import type { Id } from '@vaani/contracts'

/**
 * An account in one of its modes. Everything stored belongs to one tenant, and no other can read or change it. A test key does
 * not see what live keys created, and vice versa.
 */
export interface Tenant {
  accountId: Id<'account'>
  livemode: boolean
}
