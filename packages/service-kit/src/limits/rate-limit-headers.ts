import type { NamedRate, RateLimitResult } from './rate-limiter.ts'

/** One limit as items of RateLimit-Policy and RateLimit, of draft-ietf-httpapi-ratelimit-headers-10. */
export interface LimitItems {
  policy: string
  state: string
}

export const rateItems = (rate: NamedRate, result: RateLimitResult): LimitItems => ({
  policy: `"${rate.name}";q=${rate.limit};w=${rate.periodSeconds}`,
  state: `"${rate.name}";r=${result.remaining};t=${result.resetSeconds}`,
})

/** Without a time: nobody knows when a place comes free. */
export const concurrencyItems = (
  { name, limit }: { name: string; limit: number },
  remaining: number,
): LimitItems => ({
  policy: `"${name}";q=${limit};qu="concurrent-requests"`,
  state: `"${name}";r=${remaining}`,
})
