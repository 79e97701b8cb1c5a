import { expect, test } from 'vitest'
import { findOverdue, type Wait } from './judge.ts'

const TWO_PROCESSORS = 2
const find = (wait: Wait) =>
  findOverdue({ unitMs: 500, aloneMs: [2, 8, 3], beside: [{ ms: 4, overtakenBy: 0 }, wait] }, TWO_PROCESSORS)

test('a neighbour may wait for the units that are in work', () => {
  expect(find({ ms: 500, overtakenBy: 4 })).toBeUndefined()
  expect(find({ ms: 1200, overtakenBy: 4 })).toBeUndefined()
})

test('a neighbour that waits in line behind another account is overdue', () => {
  expect(find({ ms: 600, overtakenBy: 5 })).toBeUndefined()
  expect(find({ ms: 700, overtakenBy: 5 })).toEqual({ ms: 700, overtakenBy: 5, extraMs: 692, limitMs: 600 })
})

test('small requests that are served together do not put anybody in line', () => {
  expect(find({ ms: 90, overtakenBy: 50 })).toBeUndefined()
})

test('a neighbour that waits for several units is overdue, whatever was served meanwhile', () => {
  expect(find({ ms: 1600, overtakenBy: 0 })).toBeUndefined()
  expect(find({ ms: 1700, overtakenBy: 0 })).toMatchObject({ limitMs: 1600 })
})
