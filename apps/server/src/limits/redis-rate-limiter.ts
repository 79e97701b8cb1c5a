import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../clock.ts'
import { gcraTimes, toGcraResult } from './gcra.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { Bucket, RateLimiter, RateLimitResult } from './rate-limiter.ts'
import { connectRedis, isFaultOfOurs, within } from './redis-connection.ts'

export type LimiterState = 'redis' | 'memory'

const MS_PER_SECOND = 1000
/** A store that is slower than this is taken to be away: a limit must not be what makes a request slow. */
const TIMEOUT_MS = 250
/** While the store does not answer, one check in this time asks whether it does again. */
const PROBE_INTERVAL_MS = 1000

/** Counts in Redis, for all processes together; while it is away, each process counts for itself. */
export async function createRedisRateLimiter(options: {
  url: string
  clock: Clock
  onStateChange: (state: LimiterState) => void
}): Promise<RateLimiter> {
  const { url, clock, onStateChange } = options
  const memory = createMemoryRateLimiter(clock)
  const windows = new Map<string, RateLimiterRedis>()
  let state: LimiterState = 'redis'
  let probeAtMs = 0
  const setState = (next: LimiterState) => {
    if (state === next) return
    state = next
    onStateChange(next)
  }
  const redis = await connectRedis({
    url,
    onAway: () => setState('memory'),
    onReady: () => setState('redis'),
  })

  function windowOf({ name, limit, periodSeconds }: Bucket): RateLimiterRedis {
    const id = `${name}:${limit}:${periodSeconds}`
    const known = windows.get(id)
    if (known) return known
    const created = new RateLimiterRedis({
      storeClient: redis,
      useRedisPackage: true,
      keyPrefix: `limit:${name}`,
      points: limit,
      duration: periodSeconds,
    })
    windows.set(id, created)
    return created
  }

  async function takeWindow(bucket: Bucket, subject: string): Promise<RateLimitResult> {
    const answer = await windowOf(bucket)
      .consume(subject)
      .catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused
        throw refused
      })
    const allowed = answer.consumedPoints <= bucket.limit
    const resetSeconds = Math.ceil(answer.msBeforeNext / MS_PER_SECOND)
    return {
      allowed,
      remaining: Math.max(0, bucket.limit - answer.consumedPoints),
      resetSeconds,
      retryAfterSeconds: allowed ? 0 : Math.max(1, resetSeconds),
    }
  }

  async function takeCell(bucket: Bucket, subject: string): Promise<RateLimitResult> {
    const times = gcraTimes(bucket)
    const key = `gcra:${bucket.name}:${subject}`
    return toGcraResult(times, await redis.gcra(key, times.intervalMicros, times.burstMicros))
  }

  function mayAsk(): boolean {
    if (!redis.isReady) return false
    if (state === 'redis') return true
    if (clock.nowMs() < probeAtMs) return false
    probeAtMs = clock.nowMs() + PROBE_INTERVAL_MS
    return true
  }

  /** @throws what is a fault of ours, and no sign that Redis is away */
  async function ask(bucket: Bucket, subject: string): Promise<RateLimitResult | 'late'> {
    const take = bucket.algorithm === 'gcra' ? takeCell : takeWindow
    try {
      return await within(take(bucket, subject), TIMEOUT_MS)
    } catch (error) {
      if (isFaultOfOurs(error)) throw error
      return 'late'
    }
  }

  return {
    async check(bucket, subject) {
      const answer = mayAsk() ? await ask(bucket, subject) : 'late'
      setState(answer === 'late' ? 'memory' : 'redis')
      return answer === 'late' ? memory.check(bucket, subject) : answer
    },
    async close() {
      redis.destroy()
      await memory.close()
    },
  }
}
