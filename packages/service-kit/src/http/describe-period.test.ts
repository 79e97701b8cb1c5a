import { expect, test } from 'vitest'
import { describePeriod } from './describe-period.ts'

test.each([
  [1, 'second'],
  [90, '90 seconds'],
  [60, 'minute'],
  [7200, '2 hours'],
  [86_400, 'day'],
  [2_592_000, '30 days'],
])('%i seconds: %s', (seconds, text) => {
  expect(describePeriod(seconds)).toBe(text)
})
