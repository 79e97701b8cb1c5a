import type { Clock } from '../clock.ts'
import { gcraTimes, takeGcra, toGcraResult } from './gcra.ts'
import type { Bucket, RateLimiter, RateLimitResult } from './rate-limiter.ts'

const MS_PER_SECOND = 1000
const MICROS_PER_MS = 1000
/** A bound on memory: past it the counters that were used longest ago are forgotten. */
const MAX_COUNTERS = 100_000

interface Counter {
  /** GCRA: the theoretical arrival time in microseconds. Window: its end in milliseconds. */
  until: number
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
    const counter = last && last.until > nowMs ? last : { until: nowMs + periodMs, used: 0 }
    const allowed = counter.used < bucket.limit
    const used = allowed ? counter.used + 1 : counter.used
    remember(id, { until: counter.until, used })
    const resetSeconds = Math.ceil((counter.until - nowMs) / MS_PER_SECOND)
    return {
      allowed,
      // Fewer than none where the limit was lowered within the window.
      remaining: Math.max(0, bucket.limit - used),
      resetSeconds,
      retryAfterSeconds: allowed ? 0 : Math.max(1, resetSeconds),
    }
  }

  function takeCell(bucket: Bucket, id: string, nowMs: number): RateLimitResult {
    const times = gcraTimes(bucket)
    const step = takeGcra(times, counters.get(id)?.until, Math.round(nowMs * MICROS_PER_MS))
    remember(id, { until: step.tatMicros, used: 0 })
    return toGcraResult(times, step)
  }

  return {
    check(bucket, subject) {
      const take = bucket.algorithm === 'gcra' ? takeCell : takeWindow
      return Promise.resolve(take(bucket, `${bucket.name}:${subject}`, clock.nowMs()))
    },
    close: () => Promise.resolve(),
  }
}
