import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundDifference, type PairedTally, rulesOutDifference } from './paired-difference.ts'
import { createRandom } from './random.fixture.ts'
import { type Bounds, boundRate } from './rate-bounds.ts'

const ALPHA = 0.05

const tallies = fc
  .record({ onlyCandidate: fc.nat(2000), onlyPrimary: fc.nat(2000), others: fc.nat(100_000) })
  .filter(({ onlyCandidate, onlyPrimary, others }) => onlyCandidate + onlyPrimary + others > 0)
  .map(({ others, ...only }): PairedTally => ({
    ...only,
    trials: others + only.onlyCandidate + only.onlyPrimary,
  }))
const alphas = fc.double({ min: 0.0001, max: 0.5, noNaN: true })
const observedOf = ({ onlyCandidate, onlyPrimary, trials }: PairedTally) =>
  (onlyCandidate - onlyPrimary) / trials

test('nothing is known before the first pair', () => {
  expect(boundDifference({ onlyCandidate: 0, onlyPrimary: 0, trials: 0 }, ALPHA)).toEqual({
    lower: -1,
    upper: 1,
  })
})

test('the bounds are on either side of what was observed, and a smaller alpha moves them apart', () => {
  fc.assert(
    fc.property(tallies, alphas, (tally, alpha) => {
      const { lower, upper } = boundDifference(tally, alpha)
      expect(lower).toBeGreaterThanOrEqual(-1)
      expect(lower).toBeLessThanOrEqual(observedOf(tally))
      expect(upper).toBeGreaterThanOrEqual(observedOf(tally))
      expect(upper).toBeLessThanOrEqual(1)
      const surer = boundDifference(tally, alpha / 10)
      expect(surer.lower).toBeLessThanOrEqual(lower)
      expect(surer.upper).toBeGreaterThanOrEqual(upper)
    }),
  )
})

test('with the sides exchanged, the bounds change their places and signs', () => {
  fc.assert(
    fc.property(tallies, ({ onlyCandidate, onlyPrimary, trials }) => {
      const { lower, upper } = boundDifference({ onlyCandidate, onlyPrimary, trials }, ALPHA)
      const exchanged = { onlyCandidate: onlyPrimary, onlyPrimary: onlyCandidate, trials }
      const bounds = boundDifference(exchanged, ALPHA)
      expect(-bounds.upper).toBe(lower)
      expect(-bounds.lower).toBe(upper)
    }),
  )
})

test('more of the same pairs move the bounds together', () => {
  fc.assert(
    fc.property(tallies, fc.integer({ min: 2, max: 10 }), (tally, times) => {
      const now = boundDifference(tally, ALPHA)
      const later = boundDifference(
        {
          onlyCandidate: tally.onlyCandidate * times,
          onlyPrimary: tally.onlyPrimary * times,
          trials: tally.trials * times,
        },
        ALPHA,
      )
      const ROUNDING = 1e-12
      expect(later.lower).toBeGreaterThanOrEqual(now.lower - ROUNDING)
      expect(later.upper).toBeLessThanOrEqual(now.upper + ROUNDING)
      expect(later.upper - later.lower).toBeLessThanOrEqual(now.upper - now.lower)
    }),
  )
})

test('a difference is ruled out if it is beyond the bounds', () => {
  fc.assert(
    fc.property(
      tallies,
      alphas,
      fc.double({ min: -0.999, max: 0.999, noNaN: true }),
      (tally, alpha, difference) => {
        const { lower, upper } = boundDifference(tally, alpha)
        fc.pre(Math.abs(difference - lower) > 1e-9 && Math.abs(difference - upper) > 1e-9)
        expect(rulesOutDifference(tally, difference, alpha)).toBe(difference < lower || difference > upper)
      },
    ),
  )
})

test.each([
  { candidate: 0.001, primary: 0.001, pairs: 10_000 },
  { candidate: 0.01, primary: 0.01, pairs: 2000 },
  { candidate: 0.01, primary: 0, pairs: 2000 },
  { candidate: 0.002, primary: 0.02, pairs: 2000 },
  { candidate: 0.3, primary: 0.2, pairs: 80 },
])(
  'looked at after every pair, they miss true rates of $candidate and $primary in at most 5 of 100 runs',
  ({ candidate, primary, pairs }) => {
    const random = createRandom(41)
    const RUNS = 300
    const isMissed = (tally: PairedTally) => rulesOutDifference(tally, candidate - primary, ALPHA)
    let missed = 0
    for (let run = 0; run < RUNS; run++) {
      let tally: PairedTally = { onlyCandidate: 0, onlyPrimary: 0, trials: 0 }
      for (let trials = 1; trials <= pairs; trials++) {
        const drawn = random()
        if (drawn >= candidate + primary && trials < pairs) continue
        // In between, the evidence against the truth only grows or only falls, so its extremes are before and after such a pair.
        const before = { ...tally, trials: trials - 1 }
        const isCandidate = drawn < candidate
        const isPrimary = !isCandidate && drawn < candidate + primary
        tally = {
          onlyCandidate: tally.onlyCandidate + Number(isCandidate),
          onlyPrimary: tally.onlyPrimary + Number(isPrimary),
          trials,
        }
        if (!isMissed(before) && !isMissed(tally)) continue
        missed++
        break
      }
    }
    expect(missed / RUNS).toBeLessThanOrEqual(ALPHA)
  },
)

test.each([
  { candidate: 0.001, primary: 0 },
  { candidate: 0.001, primary: 0.001 },
  { candidate: 0.01, primary: 0 },
  { candidate: 0.01, primary: 0.01 },
])('the measurements name the widths at rates of $candidate and $primary', async ({ candidate, primary }) => {
  const page = await readFile(new URL('../../../../../docs/measured/evidence.md', import.meta.url), 'utf8')
  const cells = [500, 1000, 5000].flatMap((trials) => {
    const [onlyCandidate, onlyPrimary] = [Math.round(candidate * trials), Math.round(primary * trials)]
    const widthOf = ({ lower, upper }: Bounds) => upper - lower
    const ours = widthOf(boundDifference({ onlyCandidate, onlyPrimary, trials }, ALPHA))
    const rateWidth = (events: number) =>
      widthOf(boundRate({ events, trials }, { alpha: ALPHA / 2, narrowestAt: 0.005 }))
    const two = rateWidth(onlyCandidate) + rateWidth(onlyPrimary)
    expect(ours).toBeLessThan(two)
    return [two, ours]
  })
  const row = [candidate * 100, primary * 100, ...cells.map((width) => (100 * width).toFixed(2))]
  expect(page.replaceAll(/ +\|/g, ' |')).toContain(`| ${row.map((cell) => `${cell} %`).join(' | ')} |`)
})
