import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundRate, type Confidence, rulesOut } from './rate-bounds.ts'
import { createRandom } from './random.fixture.ts'

const confidence: Confidence = { alpha: 0.05, narrowestAt: 0.01 }

const tallies = fc
  .integer({ min: 1, max: 100_000 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), events: fc.integer({ min: 0, max: trials }) }))
const confidences = fc.record({
  alpha: fc.double({ min: 0.0001, max: 0.5, noNaN: true }),
  narrowestAt: fc.double({ min: 0.0001, max: 0.9, noNaN: true }),
})

test('nothing is known before the first trial', () => {
  expect(boundRate({ events: 0, trials: 0 }, confidence)).toEqual({ lower: 0, upper: 1 })
})

test('the bounds are on either side of what was observed', () => {
  fc.assert(
    fc.property(tallies, confidences, (tally, chosen) => {
      const { lower, upper } = boundRate(tally, chosen)
      const observed = tally.events / tally.trials
      expect(lower).toBeGreaterThanOrEqual(0)
      expect(lower).toBeLessThanOrEqual(observed)
      expect(upper).toBeGreaterThanOrEqual(observed)
      expect(upper).toBeLessThanOrEqual(1)
    }),
  )
})

test('one event more moves both bounds up, and a smaller alpha moves them apart', () => {
  fc.assert(
    fc.property(tallies, confidences, ({ events, trials }, chosen) => {
      const now = boundRate({ events, trials }, chosen)
      if (events < trials) {
        const next = boundRate({ events: events + 1, trials }, chosen)
        expect(next.lower).toBeGreaterThanOrEqual(now.lower)
        expect(next.upper).toBeGreaterThanOrEqual(now.upper)
      }
      const surer = boundRate({ events, trials }, { ...chosen, alpha: chosen.alpha / 10 })
      expect(surer.lower).toBeLessThanOrEqual(now.lower)
      expect(surer.upper).toBeGreaterThanOrEqual(now.upper)
    }),
  )
})

test.each([
  { allowed: 0.01, clean: 445 },
  { allowed: 0.005, clean: 891 },
  { allowed: 0.001, clean: 4463 },
])('$clean trials without an event bound the rate by $allowed', ({ allowed, clean }) => {
  const chosen = { alpha: 0.05, narrowestAt: allowed }
  expect(boundRate({ events: 0, trials: clean }, chosen).upper).toBeLessThanOrEqual(allowed)
  expect(boundRate({ events: 0, trials: clean - 1 }, chosen).upper).toBeGreaterThan(allowed)
})

test('a rate is ruled out if it is beyond the bounds', () => {
  fc.assert(
    fc.property(
      tallies,
      confidences,
      fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
      (tally, chosen, rate) => {
        const { lower, upper } = boundRate(tally, chosen)
        fc.pre(Math.abs(rate - lower) > 1e-9 && Math.abs(rate - upper) > 1e-9)
        expect(rulesOut(tally, rate, chosen)).toBe(rate < lower || rate > upper)
      },
    ),
  )
})

test.each([0.002, 0.01, 0.05, 0.5])(
  'looked at after every trial, they miss a true rate of %d in at most 5 of 100 runs',
  (rate) => {
    const random = createRandom(41)
    const RUNS = 300
    let missed = 0
    for (let run = 0; run < RUNS; run++) {
      let events = 0
      for (let trials = 1; trials <= 2000; trials++) {
        if (random() < rate) events++
        if (!rulesOut({ events, trials }, rate, confidence)) continue
        missed++
        break
      }
    }
    expect(missed / RUNS).toBeLessThanOrEqual(0.05)
  },
)
