import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVault, KEY_ID_BYTES } from './vault.ts'

const first = randomBytes(32)
const second = randomBytes(32)

test('opens what was sealed for the same owner, and seals differently each time', () => {
  const vault = createVault([first])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, owner) => {
      fc.pre(text.isWellFormed())
      const sealed = vault.seal(text, owner)
      expect(vault.open(sealed, owner)).toBe(text)
      expect(sealed.equals(vault.seal(text, owner))).toBe(false)
    }),
  )
})

test('does not open for another owner, or with a bit changed', () => {
  const vault = createVault([first])
  const sealed = vault.seal('whsec_secret', 'whe_1')
  expect(() => vault.open(sealed, 'whe_2')).toThrow(expect.objectContaining({ code: 'damaged' }))
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => vault.open(changed, 'whe_1')).toThrow(
      expect.objectContaining({ code: bit < KEY_ID_BYTES * 8 ? 'unknown_key' : 'damaged' }),
    )
  }
  for (let length = 0; length < sealed.length; length++)
    expect(() => vault.open(sealed.subarray(0, length), 'whe_1')).toThrow('')
})

test('after a rotation the new key seals, and the old one still opens what it sealed', () => {
  const sealed = createVault([first]).seal('text', 'owner')
  expect(createVault([second, first]).open(sealed, 'owner')).toBe('text')
  const renewed = createVault([second, first]).seal('text', 'owner')
  expect(() => createVault([first]).open(renewed, 'owner')).toThrow(
    expect.objectContaining({ code: 'unknown_key' }),
  )
  expect(createVault([second]).knows(renewed.subarray(0, KEY_ID_BYTES))).toBe(true)
  expect(createVault([second]).knows(sealed.subarray(0, KEY_ID_BYTES))).toBe(false)
})

test('derives keys that depend on the purpose and the key of the vault only, the current one first', () => {
  const [current, former] = createVault([second, first]).deriveKeys('purpose')
  expect(createVault([first]).deriveKeys('purpose')).toEqual([former])
  expect(createVault([second]).deriveKeys('purpose')).toEqual([current])
  const distinct = [current, former, ...createVault([first]).deriveKeys('another')]
  expect(new Set(distinct.map((key) => Buffer.from(key ?? []).toString('hex'))).size).toBe(3)
  expect(current).toHaveLength(32)
})
