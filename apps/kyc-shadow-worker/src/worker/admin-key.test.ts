import { expect, test } from 'vitest'
import { readAdminKey } from './admin-key.ts'

test('a key that requests can carry is used, and none if none is set', () => {
  const key = 'sk_live_0123456789abcdef'
  expect(readAdminKey({ VAANI_SHADOW_API_KEY: key })).toBe(key)
  expect(readAdminKey({})).toBeUndefined()
  expect(readAdminKey({ VAANI_SHADOW_API_KEY: '' })).toBeUndefined()
})

test.each(['0123456789abcdef0123456789abcdef', 'sk_live_short', 'sk_live_0123456789 abcdef'])(
  'the key %s, which every request would be refused with, prevents the start',
  (key) => {
    expect(() => readAdminKey({ VAANI_SHADOW_API_KEY: key })).toThrow(/^VAANI_SHADOW_API_KEY must begin with/)
  },
)
