import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateMos, ratingToMos } from './mos.ts'

// ITU-T G.107, table B.1: the limits of user satisfaction, some of which it rounds up.
test.each([
  [90, 4.34],
  [80, 4.03],
  [70, 3.6],
  [60, 3.1],
  [50, 2.58],
  [100, 4.5],
  [0, 1],
  [-5, 1],
])('a rating of %i is a score of %f', (rating, mos) => {
  expect(Math.abs(ratingToMos(rating) - mos)).toBeLessThan(0.01)
})

test.each([
  // The best that the model gives a narrow-band call.
  [{ oneWayDelayMs: 0, lostFraction: 0 }, 4.41],
  [{ oneWayDelayMs: 100, lostFraction: 0 }, 4.41],
  // Idd of 400 ms is 24.07, so R is 69.1.
  [{ oneWayDelayMs: 400, lostFraction: 0 }, 3.56],
  // Ie,eff of 5 % loss is 15.8, so R is 77.4.
  [{ oneWayDelayMs: 0, lostFraction: 0.05 }, 3.92],
])('%j is a score of %f', (impairments, mos) => {
  expect(estimateMos(impairments)).toBeCloseTo(mos, 2)
})

test('more delay and more loss never raise the score, which stays from 1 to 4.5', () => {
  const delay = fc.integer({ min: 0, max: 3000 })
  const loss = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(delay, delay, loss, loss, (oneWayDelayMs, moreMs, lostFraction, moreLost) => {
      const mos = estimateMos({ oneWayDelayMs, lostFraction })
      const worse = estimateMos({
        oneWayDelayMs: oneWayDelayMs + moreMs,
        lostFraction: Math.min(1, lostFraction + moreLost),
      })
      expect(worse).toBeLessThanOrEqual(mos)
      expect(worse).toBeGreaterThanOrEqual(1)
      expect(mos).toBeLessThanOrEqual(4.5)
    }),
  )
})
