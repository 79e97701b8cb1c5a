import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NamedRate } from './rate-limiter.ts'
import { createWindow, learnOfWindow, type RateWindow, takeFromWindow } from './window.ts'

const START_MS = 1_795_000_000_000
const rateOf = (limit: number): NamedRate => ({ name: 'any', limit, periodSeconds: 60 })

/** Makes a window with admissions of this process and a reply of the store that includes others. */
function windowWith(options: { limit: number; agesMs: readonly number[]; others: number }): RateWindow {
  const { limit, agesMs, others } = options
  const window = createWindow(0)
  for (const ageMs of agesMs.toSorted((a, b) => b - a)) window.times.push(START_MS - ageMs)
  const answer = { allowed: false, remaining: limit - agesMs.length - others, resetSeconds: 0 }
  learnOfWindow(window, { rate: rateOf(limit), answer, nowMs: START_MS })
  return window
}

test('admissions elsewhere count until they have certainly expired, and a refusal states when there is room', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 59_999 }), { maxLength: 8 })
  fc.assert(
    fc.property(ages, fc.integer({ min: 0, max: 8 }), fc.nat({ max: 59_999 }), (agesMs, others, later) => {
      const used = agesMs.length + others
      fc.pre(used > 0)
      const make = () => windowWith({ limit: used, agesMs, others })
      const rate = rateOf(used)
      // Computed naively: no admission elsewhere leaves before a whole period has passed.
      const roomAt = (nowMs: number) =>
        used -
        agesMs.filter((ageMs) => nowMs - (START_MS - ageMs) < 60_000).length -
        (nowMs < START_MS + 60_000 ? others : 0)
      const nowMs = START_MS + later
      const result = takeFromWindow(make(), rate, nowMs)
      expect(result.allowed).toBe(roomAt(nowMs) > 0)
      expect(result.remaining).toBe(Math.max(0, roomAt(nowMs) - 1))
      if (result.allowed) return
      const thenMs = nowMs + result.resetSeconds * 1000
      expect(takeFromWindow(make(), rate, thenMs).allowed).toBe(true)
      expect(takeFromWindow(make(), rate, thenMs - 1000).allowed).toBe(false)
    }),
  )
})

test('a limit lowered below the admissions elsewhere waits for those to expire', () => {
  const window = windowWith({ limit: 5, agesMs: [30_000], others: 4 })
  expect(takeFromWindow(window, rateOf(2), START_MS)).toEqual({
    allowed: false,
    remaining: 0,
    resetSeconds: 60,
  })
})
