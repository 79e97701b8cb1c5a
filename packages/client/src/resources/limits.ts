import { limitsRoutes } from '../generated/routes.ts'
import type { LimitUse } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods } from './resource.ts'

/** How near the account is to its limits. */
export interface Limits {
  /**
   * Reads every limit that applies to the key and its account, and what is used of it. Reading counts toward no limit.
   *
   * @example
   * const { rates } = await vaani.limits.retrieve()
   * for (const { name, remaining, reset_seconds } of rates)
   *   if (remaining === 0) console.log(`${name}: go on in ${reset_seconds} s`)
   */
  retrieve(options?: RequestOptions): Pending<LimitUse>
}

/** Creates the limits namespace alone, for a smaller bundle. */
export const createLimits = (connection: Connection): Limits => methods(connection, 'limits', limitsRoutes)
