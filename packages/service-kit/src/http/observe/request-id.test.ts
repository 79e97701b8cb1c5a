import { expect, test } from 'vitest'
import { createIdMaker } from '../../ids.ts'
import { chooseRequestId } from './request-id.ts'

const makeId = createIdMaker({ nowMs: () => 1_763_640_000_000 })
const choose = (given?: string) => chooseRequestId({ headers: { 'x-request-id': given } }, makeId)

test('keeps a safe token', () => {
  expect(choose('trace-0123.ab_c')).toBe('trace-0123.ab_c')
})

test.each([
  undefined,
  '',
  'short',
  'has space in it',
  'line\nbreak-line',
  '<script>alert(1)</script>',
  'x'.repeat(129),
  'sk_live_0123456789abcdefghij',
])('makes a new id instead of %s', (given) => {
  expect(choose(given)).toMatch(/^req_[0-9a-z]{26}$/)
})
