import type { Clock } from '../clock.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { createRedisRateLimiter, type LimiterState } from './redis-rate-limiter.ts'

/** The limiter of this process: shared through Redis where there is one. */
export function createRateLimiter(options: {
  redisUrl?: string
  clock: Clock
  onStateChange: (state: LimiterState) => void
}): Promise<RateLimiter> {
  const { redisUrl, clock, onStateChange } = options
  return redisUrl === undefined
    ? Promise.resolve(createMemoryRateLimiter(clock))
    : createRedisRateLimiter({ url: redisUrl, clock, onStateChange })
}
