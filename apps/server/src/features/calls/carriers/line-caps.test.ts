import { expect, test } from 'vitest'
import { capsOf, capsSchema, limitsSpend } from './line-caps.ts'

const caps = capsSchema.parse({
  currency: 'EUR',
  default: { minutes_per_day: 60, spend_per_day: '12.5', attempts_per_number_per_day: 3 },
  accounts: { acct_large: { minutes_per_day: 6000, spend_per_day: null } },
})

test('an account has the default caps', () => {
  expect(capsOf(caps, 'acct_any')).toEqual({ minutes: 60, spendMicros: 12_500_000, attemptsPerNumber: 3 })
})

test('an account that is named has its own instead, and null lifts one', () => {
  expect(capsOf(caps, 'acct_large')).toEqual({ minutes: 6000, spendMicros: null, attemptsPerNumber: 3 })
  expect(capsOf(caps, 'constructor')).toEqual(capsOf(caps, 'acct_any'))
})

test('nothing is limited unless it is written', () => {
  expect(capsOf(capsSchema.parse({}), 'acct_any')).toEqual({
    minutes: null,
    spendMicros: null,
    attemptsPerNumber: null,
  })
})

test('money counts as limited if it is for any account', () => {
  expect(limitsSpend(caps)).toBe(true)
  expect(limitsSpend(capsSchema.parse({ accounts: { acct_1: { spend_per_day: '0.01' } } }))).toBe(true)
  expect(limitsSpend(capsSchema.parse({ default: { spend_per_day: null, minutes_per_day: 1 } }))).toBe(false)
})
