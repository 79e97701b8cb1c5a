import type { NamedRate, RateLimitResult, RateState } from './rate-limiter.ts'

const MS_PER_SECOND = 1000

/** What this process knows about one subject under one rate. */
export interface RateWindow {
  /** Times of admissions by this process, in milliseconds, oldest first. The first `over` of them no longer count. */
  times: number[]
  over: number
  /** Admissions by other processes at the last reply of the store, and when the last of them has certainly expired. */
  elsewhere: number
  elsewhereUntilMs: number
  /** How many of the newest times the shared store does not know yet. */
  unreported: number
  /** The connection to the shared store over which the window was last reported. */
  connection: number
}

export const createWindow = (connection: number): RateWindow => ({
  times: [],
  over: 0,
  elsewhere: 0,
  elsewhereUntilMs: 0,
  unreported: 0,
  connection,
})

/** Admits a request if fewer than the limit were admitted within the last period. */
export function takeFromWindow(window: RateWindow, rate: NamedRate, nowMs: number): RateLimitResult {
  const periodMs = rate.periodSeconds * MS_PER_SECOND
  const before = countHere(window, periodMs, nowMs)
  const elsewhere = countElsewhere(window, nowMs)
  const free = rate.limit - before - elsewhere
  const allowed = free > 0
  if (allowed) window.times.push(nowMs)
  const here = allowed ? before + 1 : before
  // If the limit was lowered within the window, more than one admission has to expire.
  const leaving = allowed ? 1 : 1 - free
  const resetAtMs = leaveAtMs({ window, periodMs, here, elsewhere, leaving })
  return {
    allowed,
    remaining: allowed ? free - 1 : 0,
    resetSeconds: Math.ceil((resetAtMs - nowMs) / MS_PER_SECOND),
  }
}

/** Copies a window, whose counting drops what has expired. */
export const copyWindow = (window: RateWindow): RateWindow => ({ ...window, times: [...window.times] })

/** Returns what was left before a request with this result. */
export const stateBefore = (
  { allowed, remaining, resetSeconds }: RateLimitResult,
  { limit }: NamedRate,
): Omit<RateState, 'isShared'> => {
  const left = allowed ? remaining + 1 : 0
  return { remaining: left, resetSeconds: left === limit ? 0 : resetSeconds }
}

/** Takes the newest admission back. @returns whether the shared store may know of it */
export function returnToWindow(window: RateWindow): boolean {
  if (window.times.length > window.over) window.times.pop()
  if (window.unreported === 0) return true
  window.unreported--
  return false
}

/** Records a reply of the shared store, to continue from it if the store goes down. */
export function learnOfWindow(
  window: RateWindow,
  { rate, answer, nowMs }: { rate: NamedRate; answer: RateLimitResult; nowMs: number },
): void {
  const periodMs = rate.periodSeconds * MS_PER_SECOND
  const here = countHere(window, periodMs, nowMs) + (answer.allowed ? 1 : 0)
  if (answer.allowed) window.times.push(nowMs)
  window.elsewhere = Math.max(0, rate.limit - answer.remaining - here)
  window.elsewhereUntilMs = nowMs + periodMs
}

/** Returns the ages of the admissions by this process that still count, latest first. */
export function agesOfWindow(window: RateWindow, rate: NamedRate, nowMs: number): number[] {
  countHere(window, rate.periodSeconds * MS_PER_SECOND, nowMs)
  return window.times
    .slice(window.over)
    .toReversed()
    .map((timeMs) => nowMs - timeMs)
}

/** Drops expired times, and counts the rest. */
function countHere(window: RateWindow, periodMs: number, nowMs: number): number {
  const { times } = window
  // If the clock went backwards, move times in the future to now.
  for (let index = times.length - 1; index >= window.over && timeAt(times, index) > nowMs; index--)
    times[index] = nowMs
  while (window.over < times.length && nowMs - timeAt(times, window.over) >= periodMs) window.over++
  // Splice only when more than half has expired, so that each time is moved once on average.
  if (window.over * 2 > times.length) {
    times.splice(0, window.over)
    window.over = 0
  }
  return times.length - window.over
}

const countElsewhere = (window: RateWindow, nowMs: number): number =>
  window.elsewhereUntilMs > nowMs ? window.elsewhere : 0

/** Returns when `leaving` admissions have left the window, in whatever order they leave. */
function leaveAtMs(options: {
  window: RateWindow
  periodMs: number
  here: number
  elsewhere: number
  leaving: number
}): number {
  const { window, periodMs, here, elsewhere, leaving } = options
  const hereAtMs = (count: number): number => {
    if (count <= 0) return Number.NEGATIVE_INFINITY
    return count > here ? Number.POSITIVE_INFINITY : timeAt(window.times, window.over + count - 1) + periodMs
  }
  if (elsewhere === 0) return hereAtMs(leaving)
  return Math.min(hereAtMs(leaving), Math.max(window.elsewhereUntilMs, hereAtMs(leaving - elsewhere)))
}

const timeAt = (times: readonly number[], index: number): number => times[index] ?? Number.NaN
