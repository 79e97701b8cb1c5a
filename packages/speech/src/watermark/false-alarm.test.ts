import { expect, test } from 'vitest'
import { chanceOf } from './false-alarm.ts'

test('is 3.18 times the Gaussian tail', () => {
  // Q(3), Q(5) and Q(6) by Abramowitz and Stegun, table 26.2.
  for (const [score, tail] of [
    [3, 1.349_898e-3],
    [5, 2.866_516e-7],
    [6, 9.865_876e-10],
  ] as const)
    expect(chanceOf(score) / (3.18 * tail)).toBeCloseTo(1, 2)
})

test('bounds the tail of sums of equal random signs', () => {
  for (const count of [4, 10, 31, 100]) {
    let tail = 0
    let ways = 2 ** -count
    for (let minuses = 0; minuses <= count; minuses++) {
      tail += ways
      ways *= (count - minuses) / (minuses + 1)
      expect(tail - 1e-12).toBeLessThanOrEqual(chanceOf((count - 2 * minuses) / Math.sqrt(count)))
    }
  }
})

test('is a probability', () => {
  expect(chanceOf(0)).toBe(1)
  expect(chanceOf(0.1)).toBeLessThanOrEqual(1)
  expect(chanceOf(40)).toBe(0)
})
