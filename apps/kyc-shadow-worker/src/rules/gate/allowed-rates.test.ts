import { expect, test } from 'vitest'
import { DEFAULT_ALLOWED_RATES, parseAllowedRates } from './allowed-rates.ts'

test('rates that are not named stay the default', () => {
  expect(parseAllowedRates('worst_mismatches=0.05%, slow_answers = 10 %')).toEqual({
    ...DEFAULT_ALLOWED_RATES,
    worst_mismatches: 0.0005,
    slow_answers: 0.1,
  })
})

test.each([
  '',
  'worst_mismatches',
  'worst_mismatches=0%',
  'worst_mismatches=100%',
  'worst_mismatches=0.1',
  'worst_mismatches=-1%',
  'worst=1%',
  'toString=1%',
  'slow_answers=1%,,',
])('refuses %j', (text) => {
  expect(parseAllowedRates(text)).toBeNull()
})
