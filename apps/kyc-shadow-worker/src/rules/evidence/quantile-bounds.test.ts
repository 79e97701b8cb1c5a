import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundQuantile } from './quantile-bounds.ts'
import { createRandom } from './random.fixture.ts'

const ascending = (values: readonly number[]) => Float64Array.from(values).sort()

test('a few values bound no high quantile from above', () => {
  // Three of three above the 99th percentile happen once in a million runs.
  expect(boundQuantile(ascending([1, 2, 3]), 0.99, 0.05)).toEqual({ lower: 1, upper: Infinity })
  expect(boundQuantile(ascending([1, 2, 3]), 0.5, 0.05)).toEqual({ lower: -Infinity, upper: Infinity })
  expect(boundQuantile(ascending([]), 0.5, 0.05)).toEqual({ lower: -Infinity, upper: Infinity })
})

test('the bounds hold the quantile that was observed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 2000 }),
      fc.constantFrom(0.5, 0.9, 0.99),
      (values, share) => {
        const sorted = ascending(values)
        const { lower, upper } = boundQuantile(sorted, share, 0.05)
        const observed = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
        expect(observed).toBeGreaterThanOrEqual(lower)
        expect(observed).toBeLessThanOrEqual(upper)
      },
    ),
  )
})

test.each([0.5, 0.95, 0.99])(
  'looked at often, they miss the true quantile %d in at most 5 of 100 runs',
  (share) => {
    const random = createRandom(3)
    const RUNS = 200
    let missed = 0
    for (let run = 0; run < RUNS; run++) {
      const values: number[] = []
      for (let look = 0; look < 20; look++) {
        for (let i = 0; i < 50; i++) values.push(random())
        const { lower, upper } = boundQuantile(ascending(values), share, 0.05)
        if (lower <= share && share <= upper) continue
        missed++
        break
      }
    }
    expect(missed / RUNS).toBeLessThanOrEqual(0.05)
  },
)
