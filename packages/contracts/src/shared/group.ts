import type { ErrorRow } from './error-rows.ts'
import type { ConcurrencyPolicy, RateLimitPolicy } from './rates.ts'

/**
 * What one group adds to the tables of the contract. A declaration is plain data and imports nothing that reads those tables,
 * because they are assembled from all declarations.
 */
export interface GroupDeclaration {
  /** Name of the group in the contract, and of its folder. */
  readonly name: string
  /** Heading of its routes in the documents. */
  readonly description: string
  /** Prefix of each kind of id. */
  readonly ids?: Readonly<Record<string, `${string}_`>>
  /** Bounds from the specification, and our own where it leaves them open (docs/decisions). */
  readonly limits?: Readonly<Record<string, number>>
  readonly rateLimits?: Readonly<Record<string, RateLimitPolicy>>
  readonly concurrencyLimits?: Readonly<Record<string, ConcurrencyPolicy>>
  readonly scopes?: readonly string[]
  /** Error codes that no other group returned before. Each needs an ADR. */
  readonly errors?: Readonly<Record<string, ErrorRow>>
  /** Type of each webhook event, by the status or the change that causes it. */
  readonly events?: Readonly<Record<string, string>>
}
