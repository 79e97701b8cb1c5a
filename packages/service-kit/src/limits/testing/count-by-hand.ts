import fc from 'fast-check'
import { expect } from 'vitest'
import type { NamedRate, RateLimitResult, RateState } from '../rate-limiter.ts'

/** Computes the result that a limiter must return, from the times of all admissions. */
export function answerByHand(options: {
  rate: NamedRate
  admitted: readonly number[]
  nowMs: number
}): RateLimitResult {
  const { rate, admitted, nowMs } = options
  const periodMs = rate.periodSeconds * 1000
  const within = admitted.filter((timeMs) => nowMs - timeMs < periodMs)
  const allowed = within.length < rate.limit
  const used = allowed ? [...within, nowMs] : within
  return {
    allowed,
    remaining: rate.limit - used.length,
    resetSeconds: Math.ceil((Math.min(...used) + periodMs - nowMs) / 1000),
  }
}

/** Computes the state before a request that met this result. */
export function stateMet(
  { limit, periodSeconds }: NamedRate,
  met: RateLimitResult,
): Omit<RateState, 'isShared'> {
  if (!met.allowed) return { remaining: 0, resetSeconds: met.resetSeconds }
  if (met.remaining < limit - 1) return { remaining: met.remaining + 1, resetSeconds: met.resetSeconds }
  expect(met.resetSeconds).toBe(periodSeconds)
  return { remaining: limit, resetSeconds: 0 }
}

/** Returns the maximum number of times in any window of the given length. */
export const mostInAnyWindow = (timesMs: readonly number[], periodMs: number): number =>
  Math.max(
    0,
    ...timesMs.map((from) => timesMs.filter((timeMs) => timeMs >= from && timeMs < from + periodMs).length),
  )

/** Generates gaps between requests, as fractions of a period: bursts, edges of the window, and long gaps. */
export const gapsOf = ({ ofPeriod }: { ofPeriod: number }): fc.Arbitrary<number[]> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.double({ min: 0, max: ofPeriod, noNaN: true }) },
      { weight: 1, arbitrary: fc.constantFrom(0.5, 0.999, 1, 1.001) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 2, noNaN: true }) },
    ),
    { maxLength: 80 },
  )
