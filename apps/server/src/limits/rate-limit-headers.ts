import type { Bucket, RateLimitResult } from './rate-limiter.ts'

/** RateLimit and RateLimit-Policy as draft-ietf-httpapi-ratelimit-headers-10 has them, and Retry-After when refused. */
export function rateLimitHeaders(bucket: Bucket, result: RateLimitResult): Record<string, string> {
  return {
    'ratelimit-policy': `"${bucket.name}";q=${bucket.limit};w=${bucket.periodSeconds}`,
    ratelimit: `"${bucket.name}";r=${result.remaining};t=${result.resetSeconds}`,
    ...(!result.allowed && { 'retry-after': String(result.retryAfterSeconds) }),
  }
}
