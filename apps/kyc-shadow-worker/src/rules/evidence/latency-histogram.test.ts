import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, boundQuantileOf, bucketOf, quantileOf, upToMs } from './latency-histogram.ts'
import { rulesOut } from './rate-bounds.ts'
import { createRandom } from './random.fixture.ts'

const latencies = fc.double({ min: 0, max: 2 ** 30, noNaN: true })
const shares = fc.constantFrom(0.5, 0.9, 0.99)

function toBuckets(values: readonly number[]): Bucket[] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1)
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([bucket, count]) => ({ upToMs: upToMs(bucket), count }))
}

test('a latency is in the bucket that ends at or above it, within a fifth', () => {
  fc.assert(
    fc.property(latencies, (ms) => {
      const end = upToMs(bucketOf(ms))
      expect(end).toBeGreaterThanOrEqual(ms * 0.9999)
      expect(end).toBeLessThanOrEqual(Math.max(1, ms * 1.1902))
    }),
  )
})

test('the longest and the shortest latency have a bucket', () => {
  expect(bucketOf(0)).toBe(0)
  expect(bucketOf(-1)).toBe(0)
  expect(bucketOf(Number.MAX_VALUE)).toBe(120)
})

test('a quantile is a fifth above the exact one at most', () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 500 }), shares, (values, share) => {
      const sorted = values.toSorted((one, other) => one - other)
      const exact = sorted[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN
      const found = quantileOf(toBuckets(values), share) ?? Number.NaN
      expect(found).toBeGreaterThanOrEqual(exact * 0.9999)
      expect(found).toBeLessThanOrEqual(Math.max(1, exact * 1.1902))
    }),
  )
})

test('without values there is no quantile, and nothing bounds it', () => {
  expect(quantileOf([], 0.5)).toBeNull()
  expect(boundQuantileOf([], 0.5, 0.05)).toEqual({ lower: 0, upper: Infinity })
  // A few values bound no high quantile from above.
  expect(boundQuantileOf(toBuckets([10, 20, 30]), 0.99, 0.05).upper).toBe(Infinity)
})

/** Bounds by sorted values, counted from the side on which the bounds are narrower. */
function boundQuantile(ascending: Float64Array, share: number, alpha: number) {
  const trials = ascending.length
  const [isHigh, rate] = [share > 0.5, Math.min(share, 1 - share)]
  const isPossible = (below: number): boolean =>
    !rulesOut({ events: isHigh ? trials - below : below, trials }, rate, { alpha, narrowestAt: rate })
  let fewest = Math.round(share * trials)
  let most = fewest
  while (fewest > 0 && isPossible(fewest - 1)) fewest--
  while (most < trials && isPossible(most + 1)) most++
  return { lower: ascending[fewest - 1] ?? -Infinity, upper: ascending[most] ?? Infinity }
}

test('the bounds are those of the sorted values, widened to the ends of their buckets', () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 1000 }), shares, (values, share) => {
      const exact = boundQuantile(Float64Array.from(values).sort(), share, 0.05)
      const { lower, upper } = boundQuantileOf(toBuckets(values), share, 0.05)
      expect(lower).toBeLessThanOrEqual(Math.max(1, exact.lower * 1.1902))
      expect(upper).toBeGreaterThanOrEqual(exact.upper * 0.9999)
    }),
  )
})

test.each([0.5, 0.95, 0.99])(
  'looked at often, they miss the quantile %d in at most 5 of 100 runs',
  (share) => {
    const random = createRandom(5)
    const RUNS = 200
    let missed = 0
    for (let run = 0; run < RUNS; run++) {
      const values: number[] = []
      for (let look = 0; look < 20; look++) {
        for (let i = 0; i < 50; i++) values.push(1000 * random())
        const { lower, upper } = boundQuantileOf(toBuckets(values), share, 0.05)
        if (lower <= 1000 * share && 1000 * share <= upper) continue
        missed++
        break
      }
    }
    expect(missed / RUNS).toBeLessThanOrEqual(0.05)
  },
)
