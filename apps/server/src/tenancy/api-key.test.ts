import { readBearerKey } from '@vaani/service-kit/http/authorize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApiKey, hasValidCheckSuffix, isLivemode } from './api-key.ts'

const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })

test('a key shows its mode and is accepted as a bearer token', () => {
  fc.assert(
    fc.property(bytes, fc.boolean(), (random, livemode) => {
      const key = createApiKey(livemode, random)
      expect(key).toMatch(livemode ? /^sk_live_[0-9a-z]{38}$/ : /^sk_test_[0-9a-z]{38}$/)
      expect(isLivemode(key)).toBe(livemode)
      expect(readBearerKey(`Bearer ${key}`)).toBe(key)
    }),
  )
})

test('different randomness gives different keys', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      fc.pre(Buffer.compare(a, b) !== 0)
      expect(createApiKey(false, a)).not.toBe(createApiKey(false, b))
    }),
  )
})

test('the check suffix detects one mistyped character', () => {
  fc.assert(
    fc.property(bytes, fc.integer({ min: 8, max: 45 }), (random, position) => {
      const key = createApiKey(false, random)
      const other = key[position] === 'a' ? 'b' : 'a'
      expect(hasValidCheckSuffix(key)).toBe(true)
      expect(hasValidCheckSuffix(key.slice(0, position) + other + key.slice(position + 1))).toBe(false)
    }),
  )
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic sk_test_0123456789abcdefghij',
  'Bearer sk_test_short',
  'Bearer pk_test_0123456789abcdefghij',
  'Bearer sk_test_0123456789abcdefghij extra',
  'Bearer sk_test_0123456789;drop table',
  `Bearer sk_test_${'a'.repeat(500)}`,
])('a malformed header contains no key: %s', (header) => {
  expect(readBearerKey(header)).toBeNull()
})
