import { expect, test } from 'vitest'
import { describeBound, upperBound } from './upper-bound.ts'

test('follows the rule of three without events', () => {
  expect(upperBound(0, 275)).toBeCloseTo(1 - 0.05 ** (1 / 275), 12)
  expect(describeBound(0, 3000)).toBe('at most 1 in 1001')
})

test('agrees with published tables', () => {
  // One-sided 95 % bounds of Clopper and Pearson.
  expect(upperBound(1, 10)).toBeCloseTo(0.3942, 4)
  expect(upperBound(5, 42)).toBeCloseTo(0.2342, 4)
  expect(upperBound(10, 10)).toBe(1)
  expect(upperBound(0, 0)).toBe(1)
})

test('is stable for thousands of events', () => {
  expect(upperBound(2900, 3000)).toBeGreaterThan(2900 / 3000)
  expect(upperBound(2900, 3000)).toBeLessThan(0.98)
})
