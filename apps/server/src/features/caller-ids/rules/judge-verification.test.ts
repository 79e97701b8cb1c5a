import { expect, test } from 'vitest'
import { findFailure } from './judge-verification.ts'

const state = { attempts: 0, expires_at: new Date(1000), failure_reason: null }

test('a verification is pending until its code expires', () => {
  expect(findFailure(state, 999)).toBeNull()
  expect(findFailure(state, 1000)).toBe('expired')
})

test('the fifth wrong code fails it', () => {
  expect(findFailure({ ...state, attempts: 4 }, 0)).toBeNull()
  expect(findFailure({ ...state, attempts: 5 }, 0)).toBe('too-many-attempts')
})

test('a call that failed says why, whatever comes later', () => {
  expect(findFailure({ ...state, attempts: 5, failure_reason: 'busy' }, 2000)).toBe('busy')
})
