import { expect, test } from 'vitest'
import { EXAMPLE_REPORT } from './example-report.ts'
import { layOutDecisions } from './lay-out-decisions.ts'

test('each ending of v1 is a row with every ending of v2, and no pair is lost', () => {
  const { total, rows } = layOutDecisions(EXAMPLE_REPORT.confusion)
  expect(total).toBe(5210)
  const cells = rows.flatMap((row) => row.cells.map((cell) => ({ v1: row.v1, ...cell })))
  expect(cells).toHaveLength(36)
  expect(cells.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(total)
  expect(cells).toContainEqual({ v1: 'approved', v2: 'approved', pairs: 4310, isSame: true, depth: 0 })
  expect(cells).toContainEqual({ v1: 'approved', v2: 'failed', pairs: 61, isSame: false, depth: 2 })
  expect(cells).toContainEqual({ v1: 'failed', v2: 'failed', pairs: 0, isSame: true, depth: null })
})

test('nothing is divided by no pair', () => {
  expect(layOutDecisions([]).rows.flatMap(({ cells }) => cells.map(({ depth }) => depth))).toEqual(
    Array.from({ length: 36 }, () => null),
  )
})
