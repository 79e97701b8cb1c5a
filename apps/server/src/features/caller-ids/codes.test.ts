import { createId, type Id } from '@vaani/contracts'
import { createVault } from '@vaani/service-kit/vault/vault'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCodes } from './codes.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte)
const codes = createCodes(createVault([keyOf(1)]))
const idOf = (random: Uint8Array): Id<'caller_id'> => createId('caller_id', { nowMs: 0, random })
const ids = fc.uint8Array({ minLength: 10, maxLength: 10 }).map(idOf)

test('a code is six digits, always the same for an id, and the only one that fits', () => {
  fc.assert(
    fc.property(ids, fc.string(), (id, other) => {
      const code = codes.codeOf(id)
      expect(code).toMatch(/^\d{6}$/)
      expect(codes.codeOf(id)).toBe(code)
      expect(codes.isCode(id, code)).toBe(true)
      expect(codes.isCode(id, other)).toBe(other === code)
    }),
  )
})

test('codes differ between ids and between keys of the vault', () => {
  const others = createCodes(createVault([keyOf(2)]))
  const drawn = Array.from({ length: 100 }, (_, n) => idOf(new Uint8Array(10).fill(n)))
  expect(new Set(drawn.map((id) => codes.codeOf(id))).size).toBeGreaterThan(90)
  expect(drawn.filter((id) => others.codeOf(id) === codes.codeOf(id)).length).toBeLessThan(5)
})

test('a code that was said before the key of the vault changed still fits', () => {
  const id = idOf(new Uint8Array(10))
  const changed = createCodes(createVault([keyOf(3), keyOf(1)]))
  expect(changed.isCode(id, codes.codeOf(id))).toBe(true)
  expect(changed.isCode(id, changed.codeOf(id))).toBe(true)
})
