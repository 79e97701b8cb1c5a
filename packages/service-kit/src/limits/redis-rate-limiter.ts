import type { Clock } from '../clock.ts'
import type { NamedRate, RateLimiter, RateLimitResult } from './rate-limiter.ts'
import type { RedisConnection } from './redis-connection.ts'
import type { RedisStore } from './redis-store.ts'
import {
  agesOfWindow,
  copyWindow,
  createWindow,
  learnOfWindow,
  returnToWindow,
  stateBefore,
  takeFromWindow,
  type RateWindow,
} from './window.ts'
import { createWindowTables, type WindowTablesOptions } from './window-table.ts'

const MICROS_PER_SECOND = 1_000_000
const MICROS_PER_MS = 1000
/** Maximum number of admissions reported at a time. Redis is blocked for some 20 ms meanwhile. */
const MAX_REPORTED = 10_000

/**
 * Creates a limiter that counts in Redis for all processes. Each process also remembers its own admissions. While Redis is
 * down, it continues from those and from Redis's last count of the others. When Redis is back, the next request for a subject
 * reports the admissions that Redis missed.
 */
export function createRedisRateLimiter(
  options: WindowTablesOptions & { store: RedisStore; clock: Clock },
): RateLimiter {
  const { store, clock } = options
  const tableOf = createWindowTables(options)

  /** Returns admissions that Redis does not know, or may have lost with the former connection. Nearly always empty. */
  function reportOf(window: RateWindow, rate: NamedRate): [] | [unreported: number, ages: string] {
    if (window.unreported === 0 && window.connection === store.connection()) return []
    const agesMs = agesOfWindow(window, rate, clock.nowMs()).slice(0, MAX_REPORTED)
    if (agesMs.length === 0) return []
    const ages = agesMs.map((ageMs) => Math.round(ageMs * MICROS_PER_MS)).join(' ')
    return [Math.min(window.unreported, agesMs.length), ages]
  }

  async function take(redis: RedisConnection, question: Question): Promise<RateLimitResult> {
    const { window, rate, key } = question
    const report = reportOf(window, rate)
    const { unreported } = window
    // Reset before awaiting, because another request may be sent before this one is answered.
    window.unreported = 0
    window.connection = store.connection()
    try {
      return await redis.take(key, rate.limit, rate.periodSeconds * MICROS_PER_SECOND, ...report)
    } catch (error) {
      window.unreported += unreported
      throw error
    }
  }

  return {
    async check(rate, subject) {
      const table = tableOf(rate)
      const kept = table.open(subject, { nowMs: clock.nowMs(), connection: store.connection() })
      const { window } = kept
      let wasAdmittedHere = false
      const answer = await store.ask(async (redis) => {
        const taken = await take(redis, { window, rate, key: keyOf(rate, subject) })
        // Redis was only late, and has counted the request that was admitted here in the meantime.
        if (wasAdmittedHere && taken.allowed && window.unreported > 0) window.unreported--
        return taken
      })
      const nowMs = clock.nowMs()
      if (answer !== 'away') {
        learnOfWindow(window, { rate, answer, nowMs })
        table.keep(kept, nowMs)
        return answer
      }
      const result = takeFromWindow(window, rate, nowMs)
      if (result.allowed) {
        wasAdmittedHere = true
        window.unreported++
        table.keep(kept, nowMs)
      }
      return result
    },
    async giveBack(rate, subject) {
      const table = tableOf(rate)
      const nowMs = clock.nowMs()
      const kept = table.open(subject, { nowMs, connection: store.connection() })
      const isKnown = returnToWindow(kept.window)
      table.keep(kept, nowMs)
      if (isKnown) await store.ask((redis) => redis.rPop(keyOf(rate, subject)))
    },
    async peek(rate, subject) {
      const window = tableOf(rate).find(subject) ?? createWindow(store.connection())
      const answer = await store.ask((redis) =>
        redis.peek(
          keyOf(rate, subject),
          rate.limit,
          rate.periodSeconds * MICROS_PER_SECOND,
          ...reportOf(copyWindow(window), rate),
        ),
      )
      return answer === 'away'
        ? { ...stateBefore(takeFromWindow(copyWindow(window), rate, clock.nowMs()), rate), isShared: false }
        : { ...stateBefore(answer, rate), isShared: true }
    },
  }
}

const keyOf = ({ name, periodSeconds }: NamedRate, subject: string): string =>
  `limit:${name}:${periodSeconds}:${subject}`

interface Question {
  window: RateWindow
  rate: NamedRate
  key: string
}
