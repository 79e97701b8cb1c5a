import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@vaani/service-kit/clock'
import { createConcurrencyLimiter } from '@vaani/service-kit/limits/concurrency-limiter'
import type { RateLimiter } from '@vaani/service-kit/limits/rate-limiter'
import { createRedisRateLimiter } from '@vaani/service-kit/limits/redis-rate-limiter'
import { createRedisStore } from '@vaani/service-kit/limits/redis-store'
import { createClient } from 'redis'

/** The limiters of one process, with its own Redis connection and memory. */
export interface LimiterProcess {
  limiter: RateLimiter
  places: ReturnType<typeof createConcurrencyLimiter>
  /** Each switch between Redis and memory. */
  states: string[]
}

export interface SharedLimiters extends AsyncDisposable {
  open(options?: { clock?: Clock; leaseMs?: number }): Promise<LimiterProcess>
  /** Sets the clock that the scripts read instead of the Redis clock. */
  setClock(ms: number): Promise<void>
}

/** Simulates several processes on one Redis. With `ownClock` the test sets the clock; otherwise the Redis clock is used. */
export function shareLimiters(
  url: string,
  { ownClock = false, timeoutMs }: { ownClock?: boolean; timeoutMs?: number } = {},
): SharedLimiters {
  const held = new AsyncDisposableStack()
  const key = `test-clock:${randomUUID()}`
  const redisClock = `local now = tonumber(redis.call('GET', '${key}'))`
  const admin = createClient({ url }).on('error', () => undefined)
  const connected = ownClock ? admin.connect() : undefined
  held.defer(async () => {
    if ((await connected) === undefined) return
    await admin.del(key)
    await admin.close()
  })
  return {
    async open({ clock = systemClock, leaseMs } = {}) {
      const states: string[] = []
      const store = await createRedisStore({
        url,
        clock,
        onStateChange: (state) => states.push(state),
        ...(ownClock && { redisClock }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      })
      const places = createConcurrencyLimiter(store, { ...(leaseMs !== undefined && { leaseMs }) })
      held.defer(() => store.close())
      held.defer(() => places.close())
      return {
        limiter: createRedisRateLimiter({ store, clock, onForgotten: () => undefined }),
        places,
        states,
      }
    },
    async setClock(ms) {
      await connected
      await admin.set(key, String(ms * 1000))
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
