import { expect, test } from 'vitest'
import { logBeta, logGamma } from './log-beta.ts'

test('the logarithm of a factorial', () => {
  let logFactorial = 0
  for (let n = 1; n <= 5000; n++) {
    expect(logGamma(n)).toBeCloseTo(logFactorial, 9)
    logFactorial += Math.log(n)
  }
})

test.each([
  [0.5, Math.log(Math.PI) / 2],
  [1.5, Math.log(Math.PI) / 2 - Math.LN2],
  // Γ(1/3), https://dlmf.nist.gov/5.17
  [1 / 3, Math.log(2.6789385347077475)],
  [1e-6, Math.log(1e6 - 0.5772156649015329 + 0.989e-6)],
])('of %d', (x, expected) => {
  expect(logGamma(x)).toBeCloseTo(expected, 10)
})

test('the beta function is symmetric, and what its definition gives', () => {
  expect(logBeta(3, 7)).toBe(logBeta(7, 3))
  expect(Math.exp(logBeta(3, 7))).toBeCloseTo((2 * 720) / 362_880, 12)
  expect(Math.exp(logBeta(0.5, 0.5))).toBeCloseTo(Math.PI, 10)
})
