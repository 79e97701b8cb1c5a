import { describe, expect, test } from 'vitest'
import { bands, roundTicks, scale, timeTick, timeTicks } from './scales.ts'

const isoOf = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(0, 16))

test.for([
  ['2026-11-22T00:00:00Z', '22'],
  ['2026-11-22T17:50:00Z', '17:50'],
  ['2026-11-22T17:50:15Z', '17:50:15'],
] as const)('%s is labelled %s', ([time, label]) => {
  expect(timeTick(new Date(time), (day) => String(day.getUTCDate()))).toBe(label)
})

test('ticks of time are round, between both ends, and no more than asked for', () => {
  const [from, to] = [new Date('2026-11-20T22:10:00Z'), new Date('2026-11-22T18:00:00Z')]
  expect(isoOf(timeTicks(from, to, 4))).toEqual([
    '2026-11-21T00:00',
    '2026-11-21T12:00',
    '2026-11-22T00:00',
    '2026-11-22T12:00',
  ])
  expect(isoOf(timeTicks(from, from, 4))).toEqual(['2026-11-20T22:10'])
})

test('ticks of a share are round and reach the greatest', () => {
  expect(roundTicks(0.01, 4)).toEqual([0, 0.005, 0.01])
  expect(roundTicks(0.23, 4).map((tick) => tick.toFixed(1))).toEqual(['0.0', '0.1', '0.2', '0.3'])
})

describe('a scale', () => {
  test('maps its ends and its middle', () => {
    const x = scale([0.01, 1], [100, 300], Math.log10)
    expect([x(0.01), x(0.1), x(1)]).toEqual([100, 200, 300])
  })

  test('of one value maps it to the start', () => {
    expect(scale([5, 5], [100, 300])(5)).toBe(100)
  })
})

test('bands have their middles at equal distances', () => {
  const rows = bands(2, [0, 100])
  expect([rows.middle(0), rows.middle(1), rows.height]).toEqual([25, 75, 37.5])
})
