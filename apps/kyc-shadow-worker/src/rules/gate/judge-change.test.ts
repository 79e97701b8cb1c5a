import { ADVICE, type Stage, STAGES } from '@vaani/contracts/migration'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeChange } from './judge-change.ts'

const stages = fc.constantFrom(...STAGES)
const advice = fc.constantFrom(...ADVICE)
const isAllowed = (from: Stage, to: Stage, advised: (typeof ADVICE)[number]) =>
  judgeChange({ from, to }, { advice: advised, because: 'Because.' }) === null

test('going back is always possible', () => {
  fc.assert(
    fc.property(stages, stages, advice, (one, other, advised) => {
      const isBack = STAGES.indexOf(other) <= STAGES.indexOf(one)
      if (isBack) expect(isAllowed(one, other, advised)).toBe(true)
    }),
  )
})

test('v2 answers only on the advice to promote, from whatever stage', () => {
  fc.assert(
    fc.property(stages, fc.constantFrom('live', 'complete'), advice, (from, to, advised) => {
      const isForward = STAGES.indexOf(to) > STAGES.indexOf(from)
      expect(isAllowed(from, to, advised)).toBe(!isForward || advised === 'promote')
    }),
  )
})

test('nothing goes forward on the advice to roll back', () => {
  fc.assert(
    fc.property(stages, stages, (from, to) => {
      expect(isAllowed(from, to, 'roll_back')).toBe(STAGES.indexOf(to) <= STAGES.indexOf(from))
    }),
  )
})

test('more shadow needs only that nothing speaks against it', () => {
  expect(isAllowed('shadow-1', 'shadow-10', 'not_enough_evidence')).toBe(true)
  expect(isAllowed('off', 'shadow-100', 'hold')).toBe(true)
})

test('a refusal gives the reason', () => {
  const verdict = { advice: 'hold', because: 'Hold. More pairs will not help.' } as const
  expect(judgeChange({ from: 'shadow-100', to: 'live' }, verdict)).toBe(
    'The evidence does not support live. Hold. More pairs will not help.',
  )
})
