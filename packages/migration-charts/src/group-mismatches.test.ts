import { expect, test } from 'vitest'
import { EXAMPLE_REPORT } from './example-report.ts'
import { groupMismatches } from './group-mismatches.ts'

test('groups mismatches of one class, the worst and then the most frequent first', () => {
  const [worst, serious] = EXAMPLE_REPORT.open_mismatches
  if (worst === undefined || serious === undefined) throw new Error('The example has too few mismatches')
  const reversed = { ...serious, v1: serious.v2, v2: serious.v1 }
  const groups = groupMismatches([serious, reversed, worst, { ...reversed, pair_id: 'pair_other' }])
  expect(groups.map(({ severity, v1, v2, pairs }) => [severity, v1, v2, pairs.length])).toEqual([
    ['worst', 'approved', 'declined', 1],
    ['serious', 'review', 'approved', 2],
    ['serious', 'approved', 'review', 1],
  ])
})

test('there is no group without a mismatch', () => {
  expect(groupMismatches([])).toEqual([])
})
