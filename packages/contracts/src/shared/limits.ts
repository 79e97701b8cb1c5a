import { tableOf } from '../groups.ts'
import { KIB } from './bytes.ts'
import type { Rate } from './rates.ts'

/** Bounds from the specification, and our own where it leaves them open (docs/decisions). */
export const LIMITS = {
  ...tableOf('limits'),
  /** Size of `metadata` as JSON text in UTF-8. */
  metadataBytes: 16 * KIB,
  metadataKeys: 50,
  jsonBodyBytes: 256 * KIB,
  /** Nesting depth of objects and arrays in a JSON body. */
  jsonBodyDepth: 100,
  /** Members of objects and elements of arrays in a JSON body, at all levels together. */
  jsonBodyItems: 50_000,
  idempotencyKeyCharacters: 255,
  idempotencyHours: 24,
  pageMax: 100,
  pageDefault: 20,
} as const

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type AccountLimits = {
  readonly [
    Name in keyof typeof LIMITS as Name extends `${infer What}PerAccount` ? SnakeCase<What> : never
  ]: (typeof LIMITS)[Name]
}

/** How many an account can have of each kind, by kind: every `LIMITS.…PerAccount`. */
export const ACCOUNT_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).flatMap(([name, limit]) => {
    const [, what] = /^(.+)PerAccount$/.exec(name) ?? []
    return what === undefined
      ? []
      : [[what.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), limit]]
  }),
  // A cast, because the compiler follows no regular expression.
) as AccountLimits
export type AccountLimitName = keyof AccountLimits

/** Rate limits by name. An account can override any of them (Enterprise). */
export const RATE_LIMITS = tableOf('rateLimits')
export type RateLimitName = keyof typeof RATE_LIMITS

/**
 * Limits on requests without a valid key, per client address: an IPv4 address, or the /64 of an IPv6 address. Beyond the
 * specification; accounts cannot override them.
 */
export const ADDRESS_LIMITS = {
  /** Documents that need no key. */
  public_documents: { limit: 300, periodSeconds: 60 },
  /** Pages of the console and their files: a browser that has none yet asks for some 20. */
  console_files: { limit: 3000, periodSeconds: 60 },
  /** Requests whose key is missing or wrong: 401 up to the limit, 429 beyond it. Valid keys from the address still work. */
  failed_authentications: { limit: 300, periodSeconds: 60 },
  /** Requests for an unknown path or method: 404 or 405 up to the limit, 429 beyond it. */
  unknown_routes: { limit: 600, periodSeconds: 60 },
} as const satisfies Record<string, Rate>
export type AddressLimitName = keyof typeof ADDRESS_LIMITS

/**
 * Concurrency limits of an account, by name. All are beyond the specification. An account can override any of them
 * (Enterprise).
 */
export const CONCURRENCY_LIMITS = tableOf('concurrencyLimits')
export type ConcurrencyLimitName = keyof typeof CONCURRENCY_LIMITS
