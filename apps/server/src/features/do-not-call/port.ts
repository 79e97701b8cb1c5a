import type { Queryable } from '@vaani/service-kit/database/transaction'
import type { Tenant } from '@vaani/service-kit/tenant'

/** Steps of a call at which a list can refuse it. */
export const REFUSED_AT = ['placement', 'dial'] as const
export type RefusedAt = (typeof REFUSED_AT)[number]

export const REFUSING_LISTS = ['account', 'server'] as const
export type RefusingList = (typeof REFUSING_LISTS)[number]

/** What the do-not-call feature offers to the other features. */
export interface DoNotCallPort {
  /**
   * Whether a list of the account and mode, or the list of the server, has the number. Counts the refusal if so.
   *
   * @param client sees whatever was committed before it asks
   */
  refuses(client: Queryable, call: Tenant & { to: string }, at: RefusedAt): Promise<boolean>
}
