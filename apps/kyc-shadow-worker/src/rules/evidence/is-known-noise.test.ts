import { expect, test } from 'vitest'
import { isKnownNoise } from './is-known-noise.ts'
import { judgeCondition } from './judge-condition.ts'

const alphas = { met: 0.05, broken: 0.001 }

test.each([
  { allowed: 0.01, trials: 445 },
  { allowed: 0.001, trials: 4463 },
])(
  'noise is known after $trials pairs where $allowed is allowed, whatever they showed',
  ({ allowed, trials }) => {
    expect(isKnownNoise({ events: 0, trials: 0 }, allowed)).toBe(false)
    expect(isKnownNoise({ events: 0, trials: trials - 1 }, allowed)).toBe(false)
    expect(isKnownNoise({ events: 0, trials }, allowed)).toBe(true)
    expect(isKnownNoise({ events: trials, trials }, allowed)).toBe(true)
  },
)

test.each([0.001, 0.01, 0.05])(
  'noise that is just known lets a candidate be judged that is ten times as bad as the %d allowed',
  (allowed) => {
    let trials = 1
    while (!isKnownNoise({ events: 0, trials }, allowed)) trials++
    const tally = { events: 100, trials: 100 / (10 * allowed) }
    const judged = judgeCondition({ tally, allowed, noise: { events: 0, trials } }, alphas)
    expect(judged.state).toBe('broken')
  },
)
