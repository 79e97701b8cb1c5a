import { describe, expect, test } from 'vitest'
import { ReceptionStatistics } from './reception-statistics.ts'

/** Takes packets of 20 ms by their place in the stream, each with its delay. */
function take(
  statistics: ReceptionStatistics,
  places: readonly number[],
  delayMs: (place: number) => number = () => 0,
) {
  for (const place of places)
    statistics.take(
      { sequenceNumber: (65_530 + place) & 0xff_ff, timestamp: (place * 160) >>> 0 },
      place * 20 + delayMs(place),
    )
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

test('nothing is lost of an even stream, around the wrap of its numbers', () => {
  const statistics = new ReceptionStatistics(9, 8000)
  take(statistics, range(0, 100))
  expect([statistics.lostFraction, statistics.jitterMs, statistics.received]).toEqual([0, 0, 100])
  expect(statistics.report()).toEqual({
    ssrc: 9,
    fractionLost: 0,
    cumulativeLost: 0,
    highestSequenceNumber: 65_530 + 99,
    jitter: 0,
  })
})

test('a report tells the loss since the one before, and in all', () => {
  const statistics = new ReceptionStatistics(9, 8000)
  take(statistics, [0, 1, 2, 3])
  expect(statistics.report().fractionLost).toBe(0)
  take(statistics, [4, 7])
  expect(statistics.report()).toMatchObject({ fractionLost: 128, cumulativeLost: 2 })
  expect(statistics.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 2 })
  expect(statistics.lostFraction).toBe(0.25)
})

test('packets out of order are not lost', () => {
  const statistics = new ReceptionStatistics(9, 8000)
  take(statistics, [0, 2, 1, 4, 3])
  expect(statistics.lostFraction).toBe(0)
})

test('delays that alternate by 10 ms are a jitter of 10 ms', () => {
  const statistics = new ReceptionStatistics(9, 8000)
  take(statistics, range(0, 300), (place) => (place % 2) * 10)
  expect(statistics.jitterMs).toBeCloseTo(10, 3)
})

describe('a source that jumps', () => {
  test('is followed after two packets in a row, without a loss', () => {
    const statistics = new ReceptionStatistics(9, 8000)
    take(statistics, [...range(0, 10), ...range(20_000, 20_010)])
    expect(statistics.lostFraction).toBe(0)
    expect(statistics.received).toBe(19)
  })
  test('is not followed for one stray packet', () => {
    const statistics = new ReceptionStatistics(9, 8000)
    take(statistics, [...range(0, 10), 30_000, ...range(10, 20)])
    expect(statistics.lostFraction).toBe(0)
    expect(statistics.report().highestSequenceNumber).toBe(65_530 + 19)
  })
})

test('before any packet, nothing is lost', () => {
  const statistics = new ReceptionStatistics(9, 8000)
  expect([statistics.lostFraction, statistics.jitterMs]).toEqual([0, 0])
  expect(statistics.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 0, highestSequenceNumber: 0 })
})
