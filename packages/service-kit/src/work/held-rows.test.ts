import { expect, test } from 'vitest'
import { createHeldRows } from './held-rows.ts'

const TWO_PLACES = { places: 2, ahead: 0 }
const AHEAD = { places: 2, ahead: 10 }

test('starts rows in their order, as many as there are places', () => {
  const rows = createHeldRows<string>()
  rows.add(['a', 'b', 'c'], 'worker')
  const first = rows.start('worker', TWO_PLACES)
  expect([first?.row, rows.start('worker', TWO_PLACES)?.row]).toEqual(['a', 'b'])
  expect(rows.start('worker', TWO_PLACES)).toBeUndefined()
  if (first) rows.freePlace(first)
  expect(rows.start('worker', TWO_PLACES)?.row).toBe('c')
  expect(rows.working()).toBe(2)
})

test('holds a row until it is let go, not only while it has a place', () => {
  const rows = createHeldRows<string>()
  rows.add(['a'], 'worker')
  const one = rows.start('worker', TWO_PLACES)
  if (one === undefined) expect.fail('It was not started')
  rows.freePlace(one)
  expect([rows.working(), rows.heldBy('worker')]).toEqual([0, ['a']])
  rows.letGo(one)
  expect(rows.heldBy('worker')).toEqual([])
})

test('drops waiting rows of a lease that was lost, and counts those that were started to it', () => {
  const rows = createHeldRows<string>()
  rows.add(['a', 'b'], 'before')
  rows.start('before', TWO_PLACES)
  rows.add(['c'], 'after')
  expect(rows.start('after', TWO_PLACES)?.row).toBe('c')
  expect([rows.heldBy('before'), rows.heldBy('after')]).toEqual([['a'], ['c']])
})

test('drops waiting rows, and none that was started', () => {
  const rows = createHeldRows<string>()
  rows.add(['a', 'b', 'c'], 'worker')
  rows.start('worker', TWO_PLACES)
  rows.drop((row) => row !== 'c')
  expect([rows.heldBy('worker'), rows.waiting()]).toEqual([['a', 'c'], ['c']])
})

test('has room for as many rows as there are free places', () => {
  const rows = createHeldRows<string>()
  expect(rows.room(TWO_PLACES)).toBe(2)
  rows.add(['a'], 'worker')
  expect(rows.room(TWO_PLACES)).toBe(1)
  rows.start('worker', TWO_PLACES)
  rows.add(['b'], 'worker')
  expect(rows.room(TWO_PLACES)).toBe(0)
})

test('has room for rows ahead once less than half of them wait', () => {
  const rows = createHeldRows<number>()
  expect(rows.room(AHEAD)).toBe(12)
  rows.add([...Array(12).keys()], 'worker')
  for (let started = 0; started < 7; started++) {
    const one = rows.start('worker', AHEAD)
    if (one && started < 5) rows.letGo(one)
  }
  expect([rows.waiting().length, rows.working(), rows.room(AHEAD)]).toEqual([5, 2, 0])
  rows.drop((row) => row === 11)
  expect(rows.room(AHEAD)).toBe(6)
})
