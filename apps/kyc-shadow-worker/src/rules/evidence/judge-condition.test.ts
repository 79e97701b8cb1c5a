import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeCondition } from './judge-condition.ts'
import { createRandom } from './random.fixture.ts'

const alphas = { met: 0.05, broken: 0.01 }

test.each([
  { what: 'enough clean trials', events: 0, trials: 445, state: 'met', missingTrials: 0 },
  { what: 'one too few', events: 0, trials: 444, state: 'open', missingTrials: 1 },
  { what: 'none at all', events: 0, trials: 0, state: 'open', missingTrials: 445 },
  { what: 'a rate that is certainly above', events: 60, trials: 1000, state: 'broken', missingTrials: null },
  { what: 'a rate that is only observed above', events: 2, trials: 100, state: 'open', missingTrials: null },
] as const)('$what', ({ events, trials, state, missingTrials }) => {
  const judged = judgeCondition({ tally: { events, trials }, allowed: 0.01, noise: null }, alphas)
  expect(judged).toMatchObject({ state, missingTrials })
})

test('after the trials that are said to be missing, it is met', () => {
  fc.assert(
    fc.property(
      fc.record({ events: fc.integer({ min: 0, max: 20 }), extra: fc.integer({ min: 1, max: 5000 }) }),
      ({ events, extra }) => {
        const tally = { events, trials: events + extra }
        const { missingTrials } = judgeCondition({ tally, allowed: 0.02, noise: null }, alphas)
        fc.pre(missingTrials !== null)
        const later = {
          events: events + Math.ceil((events / tally.trials) * missingTrials),
          trials: tally.trials + missingTrials,
        }
        expect(judgeCondition({ tally: later, allowed: 0.02, noise: null }, alphas).state).toBe('met')
      },
    ),
  )
})

test('what the primary does to itself is not blamed on the candidate', () => {
  const tally = { events: 600, trials: 10_000 }
  expect(judgeCondition({ tally, allowed: 0.01, noise: null }, alphas).state).toBe('broken')
  const noise = { events: 580, trials: 10_000 }
  const judged = judgeCondition({ tally, allowed: 0.01, noise }, alphas)
  expect(judged.state).toBe('open')
  const quiet = { events: 1, trials: 10_000 }
  expect(judgeCondition({ tally, allowed: 0.01, noise: quiet }, alphas).state).toBe('broken')
})

test('looked at again and again, a rate just allowed is called broken in at most 1 of 100 runs', () => {
  const random = createRandom(7)
  const RUNS = 200
  let broken = 0
  for (let run = 0; run < RUNS; run++) {
    const noise = { events: 40, trials: 2000 }
    let events = 0
    for (let trials = 1; trials <= 1500; trials++) {
      // 2 % of noise and 1 % that is allowed.
      if (random() < 0.03) events++
      if (trials % 250 !== 0) continue
      const { state } = judgeCondition({ tally: { events, trials }, allowed: 0.01, noise }, alphas)
      if (state !== 'broken') continue
      broken++
      break
    }
  }
  expect(broken / RUNS).toBeLessThanOrEqual(0.01)
})
