import type { Clock } from '../../src/index.ts'

interface Timer {
  readonly atMs: number
  readonly delayMs: number
  readonly action: () => void
}

/** A clock that moves only when advanced, or when it skips a wait. */
export interface TestClock extends Clock {
  /** Waits between attempts that were scheduled. */
  readonly waitsMs: number[]
  /** Returns the number of timers that have neither fired nor been canceled. */
  pending(): number
  /** Advances the time and fires the timers that are due. */
  advance(ms: number): void
  /** Resolves when a timer with this delay is set. */
  untilSet(delayMs: number): Promise<void>
}

/** Longer timers are limits; shorter ones are waits between attempts. */
const LONGEST_WAIT_MS = 12_000

/** @param options `passesWaits`: whether waits end by themselves, as if their time had passed */
export function createTestClock({ passesWaits = true, startMs = Date.UTC(2026, 0, 1) } = {}): TestClock {
  const timers = new Set<Timer>()
  const expected = new Map<number, () => void>()
  const waitsMs: number[] = []
  let nowMs = startMs

  function fire(timer: Timer): void {
    if (!timers.delete(timer)) return
    nowMs = Math.max(nowMs, timer.atMs)
    timer.action()
  }

  return {
    waitsMs,
    nowMs: () => nowMs,
    pending: () => timers.size,
    after(delayMs, action) {
      const timer = { atMs: nowMs + delayMs, delayMs, action }
      timers.add(timer)
      expected.get(delayMs)?.()
      if (delayMs <= LONGEST_WAIT_MS) {
        waitsMs.push(delayMs)
        if (passesWaits) queueMicrotask(() => fire(timer))
      }
      return () => timers.delete(timer)
    },
    advance(ms) {
      nowMs += ms
      for (const timer of [...timers].toSorted((a, b) => a.atMs - b.atMs))
        if (timer.atMs <= nowMs) fire(timer)
    },
    untilSet: (delayMs) =>
      [...timers].some((timer) => timer.delayMs === delayMs)
        ? Promise.resolve()
        : new Promise((resolve) => expected.set(delayMs, resolve)),
  }
}
