import type { NamedRate, RateLimitResult } from './rate-limiter.ts'

/** One limit as items of the RateLimit-Policy and RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10). */
export interface LimitItems {
  policy: string
  state: string
}

export const rateItems = (rate: NamedRate, result: RateLimitResult): LimitItems => ({
  policy: `"${rate.name}";q=${rate.limit};w=${rate.periodSeconds}`,
  state: `"${rate.name}";r=${result.remaining};t=${result.resetSeconds}`,
})

/** Omits the reset time, because it is unknown when a slot becomes free. */
export const concurrencyItems = (
  { name, limit }: { name: string; limit: number },
  remaining: number,
): LimitItems => ({
  policy: `"${name}";q=${limit};qu="concurrent-requests"`,
  state: `"${name}";r=${remaining}`,
})
