import type { Clock } from '../clock.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import type { LimiterState, RedisStore } from './redis-store.ts'

export interface Limiter extends RateLimiter, ConcurrencyLimiter {
  close(): void
}

export interface LimiterOptions {
  redisUrl?: string | undefined
  redisTimeoutMs?: number | undefined
  clock: Clock
  onStateChange: (state: LimiterState) => void
  /** Called with the name of a rate when memory runs short; see `createWindowTables`. */
  onForgotten: (name: string) => void
}

/** Creates the limiter of this process, shared through Redis if configured. */
export async function createLimiter(options: LimiterOptions): Promise<Limiter> {
  const { clock, onForgotten } = options
  const store = await openStore(options)
  const rates = store
    ? createRedisRateLimiter({ store, clock, onForgotten })
    : createMemoryRateLimiter({ clock, onForgotten })
  const places = createConcurrencyLimiter(store)
  return {
    check: rates.check,
    giveBack: rates.giveBack,
    peek: rates.peek,
    enter: places.enter,
    countTaken: places.countTaken,
    close() {
      places.close()
      store?.close()
    },
  }
}

/** The client is a quarter of all modules of a server: it is loaded only where there is a Redis. */
async function openStore(options: LimiterOptions): Promise<RedisStore | null> {
  const { redisUrl, redisTimeoutMs, clock, onStateChange } = options
  if (redisUrl === undefined) return null
  const { createRedisStore } = await import('./redis-store.ts')
  return createRedisStore({ url: redisUrl, clock, onStateChange, timeoutMs: redisTimeoutMs })
}
