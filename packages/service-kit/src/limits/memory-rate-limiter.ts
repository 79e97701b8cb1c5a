import type { Clock } from '../clock.ts'
import type { NamedRate, RateLimiter, RateLimitResult } from './rate-limiter.ts'
import { copyWindow, createWindow, returnToWindow, stateBefore, takeFromWindow } from './window.ts'
import { createWindowTables, type WindowTablesOptions } from './window-table.ts'

export interface LocalRateLimiter extends RateLimiter {
  /** Synchronous `check`. */
  take(rate: NamedRate, subject: string): RateLimitResult
}

/** Creates a limiter that counts in this process. */
export function createMemoryRateLimiter(options: WindowTablesOptions & { clock: Clock }): LocalRateLimiter {
  const { clock } = options
  const tableOf = createWindowTables(options)

  function take(rate: NamedRate, subject: string): RateLimitResult {
    const nowMs = clock.nowMs()
    const table = tableOf(rate)
    const kept = table.open(subject, { nowMs, connection: 0 })
    const result = takeFromWindow(kept.window, rate, nowMs)
    if (result.allowed) table.keep(kept, nowMs)
    return result
  }

  return {
    take,
    check: (rate, subject) => Promise.resolve(take(rate, subject)),
    giveBack(rate, subject) {
      const nowMs = clock.nowMs()
      const table = tableOf(rate)
      const kept = table.open(subject, { nowMs, connection: 0 })
      returnToWindow(kept.window)
      table.keep(kept, nowMs)
      return Promise.resolve()
    },
    peek(rate, subject) {
      const window = copyWindow(tableOf(rate).find(subject) ?? createWindow(0))
      const result = takeFromWindow(window, rate, clock.nowMs())
      return Promise.resolve({ ...stateBefore(result, rate), isShared: false })
    },
  }
}
