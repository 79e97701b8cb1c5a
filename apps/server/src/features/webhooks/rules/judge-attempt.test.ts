import { WEBHOOK_RETRY_WINDOW_SECONDS } from '@vaani/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_RETRY_POLICY as policy, judgeAttempt, readRetryAfter } from './judge-attempt.ts'

const failed: { status: number; retryAfterMs: number | null } = { status: 500, retryAfterMs: null }
const start = Date.UTC(2026, 10, 21)
const windowMs = WEBHOOK_RETRY_WINDOW_SECONDS * 1000

/** Returns the times of all attempts, in seconds from the first, if every attempt fails. */
function attemptAll(random: number, answer = failed): { seconds: number[]; reason: string } {
  let nowMs = start
  const seconds: number[] = []
  for (let attempts = 1; ; attempts++) {
    seconds.push((nowMs - start) / 1000)
    const verdict = judgeAttempt({ policy, answer, attempts, firstAttemptMs: start, nowMs, random })
    if (verdict.status === 'dead') return { seconds, reason: verdict.reason }
    if (verdict.status === 'delivered') throw new Error('A failure was judged a success')
    nowMs = verdict.nextAttemptMs
  }
}

describe('the schedule', () => {
  test('matches the contract without jitter', () => {
    expect(attemptAll(0.5)).toEqual({
      seconds: [0, 30, 150, 750, 2550, 6150, 13_350, 27_750, 56_550, 83_550],
      reason: 'attempts_exhausted',
    })
  })

  test('has at most ten attempts, in order, none past 24 hours, whatever the jitter', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const { seconds } = attemptAll(random)
        expect(seconds.length).toBeLessThanOrEqual(10)
        expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
        expect(seconds.at(-1)).toBeLessThanOrEqual(WEBHOOK_RETRY_WINDOW_SECONDS)
      }),
    )
    expect(attemptAll(0).seconds[1]).toBe(27)
    expect(attemptAll(1).seconds[1]).toBe(33)
  })
})

describe('an answer', () => {
  const judge = (answer: { status: number | null; retryAfterMs: number | null }, attempts = 1) =>
    judgeAttempt({ policy, answer, attempts, firstAttemptMs: start, nowMs: start, random: 0.5 })

  test('means delivered if it is 2xx, and only then', () => {
    for (let status = 200; status < 600; status++)
      expect(judge({ status, retryAfterMs: null }).status === 'delivered').toBe(status < 300)
    expect(judge({ status: null, retryAfterMs: null }).status).toBe('pending')
  })

  test('of 410 ends the delivery at once', () => {
    expect(judge({ status: 410, retryAfterMs: 60_000 })).toEqual({ status: 'dead', reason: 'gone' })
  })

  test('may extend the delay up to twice the step, but not shorten it', () => {
    const next = (retryAfterMs: number) => {
      const verdict = judge({ status: 503, retryAfterMs })
      return verdict.status === 'pending' ? verdict.nextAttemptMs - start : null
    }
    expect(next(1000)).toBe(30_000)
    expect(next(45_000)).toBe(45_000)
    expect(next(600_000)).toBe(60_000)
    expect(next(99_999_999_000)).toBe(60_000)
  })

  test('that always asks for more time skips no step of the schedule', () => {
    const steps = policy.scheduleSeconds
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        (random, retryAfterMs) => {
          const { seconds } = attemptAll(random, { status: 503, retryAfterMs })
          seconds.slice(1).forEach((at, index) => {
            const gap = at - (seconds[index] ?? 0)
            expect(gap).toBeLessThanOrEqual(2 * (steps[index + 1] ?? 0) + 1)
          })
          expect(seconds.length).toBeGreaterThanOrEqual(8)
          expect(seconds.at(-1)).toBeLessThanOrEqual(WEBHOOK_RETRY_WINDOW_SECONDS)
        },
      ),
    )
  })

  test('past the retry window is the last', () => {
    const late = { policy, answer: failed, attempts: 2, firstAttemptMs: start, random: 0.5 }
    expect(judgeAttempt({ ...late, nowMs: start + windowMs })).toEqual({
      status: 'dead',
      reason: 'window_expired',
    })
  })
})

test('Retry-After is seconds or a date', () => {
  expect(readRetryAfter('120', start)).toBe(120_000)
  expect(readRetryAfter(new Date(start + 90_000).toUTCString(), start)).toBe(90_000)
  expect(readRetryAfter(new Date(start - 90_000).toUTCString(), start)).toBe(0)
  expect(readRetryAfter('9'.repeat(40), start)).toBeGreaterThan(windowMs)
  for (const header of [undefined, '', 'soon', '-5', '1e3']) expect(readRetryAfter(header, start)).toBeNull()
})
