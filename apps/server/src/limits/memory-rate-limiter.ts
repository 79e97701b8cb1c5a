import type { Clock } from '../clock.ts'
import { takeGcra } from './gcra.ts'
import type { Bucket, RateLimiter, RateLimitResult } from './rate-limiter.ts'

const MS_PER_SECOND = 1000
/** A bound on memory: past it the counters that were used longest ago are forgotten. */
const MAX_COUNTERS = 100_000

interface Counter {
  /** GCRA: the theoretical arrival time. Window: its end. */
  untilMs: number
  used: number
}

/** Counts in this process. */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const counters = new Map<string, Counter>()

  function remember(id: string, counter: Counter): void {
    // Taking it out first keeps the map in the order of last use.
    counters.delete(id)
    counters.set(id, counter)
    if (counters.size > MAX_COUNTERS) for (const oldest of counters.keys()) if (counters.delete(oldest)) break
  }

  function takeWindow(bucket: Bucket, id: string, nowMs: number): RateLimitResult {
    const periodMs = bucket.periodSeconds * MS_PER_SECOND
    const last = counters.get(id)
    const counter = last && last.untilMs > nowMs ? last : { untilMs: nowMs + periodMs, used: 0 }
    const allowed = counter.used < bucket.limit
    const used = allowed ? counter.used + 1 : counter.used
    remember(id, { untilMs: counter.untilMs, used })
    const resetSeconds = Math.ceil((counter.untilMs - nowMs) / MS_PER_SECOND)
    return {
      allowed,
      remaining: bucket.limit - used,
      resetSeconds,
      retryAfterSeconds: allowed ? 0 : Math.max(1, resetSeconds),
    }
  }

  return {
    check(bucket, subject) {
      const id = `${bucket.name}:${subject}`
      const nowMs = clock.nowMs()
      if (bucket.algorithm === 'window') return Promise.resolve(takeWindow(bucket, id, nowMs))
      const { result, tatMs } = takeGcra(bucket, counters.get(id)?.untilMs, nowMs)
      remember(id, { untilMs: tatMs, used: 0 })
      return Promise.resolve(result)
    },
    close: () => Promise.resolve(),
  }
}
