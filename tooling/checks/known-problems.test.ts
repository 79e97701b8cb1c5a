import { expect, test } from 'vitest'

import { compareWithKnown } from './known-problems.ts'

const known = { rule: 'no-circle', imports: 'a.ts → b.ts → a.ts' }

test('a known problem is not reported', () => {
  expect(compareWithKnown([known], [known])).toEqual([])
})

test('a new problem is reported with its reason', () => {
  expect(compareWithKnown([known, { rule: 'no-circle', imports: 'c.ts → c.ts' }], [known])).toEqual([
    'c.ts → c.ts: the imports form a circle, imports of types included (no-circle)',
  ])
})

test('the same imports do not excuse another rule', () => {
  expect(compareWithKnown([known, { ...known, rule: 'declared' }], [known])).toHaveLength(1)
})

test('a known problem that is solved must leave the list', () => {
  expect(compareWithKnown([], [known])).toEqual([
    'a.ts → b.ts → a.ts: solved, so delete its line in known-problems.ts (no-circle)',
  ])
})
