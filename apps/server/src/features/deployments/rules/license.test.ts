import { expect, test } from 'vitest'
import { describeState, judgeLicense, type LicenseState } from './license.ts'

const DAY_MS = 86_400_000
const exp = Date.UTC(2027, 0, 31) / 1000
const claims = { jti: 'dep_1', exp }

test.each<[daysLeft: number, LicenseState]>([
  [31, 'valid'],
  [30.001, 'valid'],
  [30, 'expiring'],
  [0.001, 'expiring'],
  [0, 'grace'],
  [-13.999, 'grace'],
  [-14, 'expired'],
  [-1000, 'expired'],
])('%d days before its expiry, a license is %s', (daysLeft, state) => {
  const nowMs = exp * 1000 - daysLeft * DAY_MS
  expect(judgeLicense({ claims, revocations: null, nowMs })).toBe(state)
  expect(judgeLicense({ claims, revocations: { revoked: ['dep_2'] }, nowMs })).toBe(state)
  expect(judgeLicense({ claims, revocations: { revoked: ['dep_2', 'dep_1'] }, nowMs })).toBe('revoked')
})

test('messages name the day from which requests are refused', () => {
  expect(describeState('valid', claims)).toBeNull()
  expect(describeState('expiring', claims)).toMatch(/expires on 2027-01-31.*from 2027-02-14/)
  expect(describeState('grace', claims)).toMatch(/expired on 2027-01-31.*from 2027-02-14/)
})
