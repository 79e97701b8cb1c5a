import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCursor, toCursor } from './cursor.ts'

test('a cursor leads to its place, whatever the name of the model', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\u0000'))
  fc.assert(
    fc.property(name, (model) => {
      expect(parseCursor(toCursor({ day: '2026-11-23', model }))).toEqual({ day: '2026-11-23', model })
    }),
  )
})

test.each(['', 'abc', '2026-11-23', '2026-13-45 m', '2026-11-23 m\u0000'])('%j is no cursor', (text) => {
  expect(parseCursor(Buffer.from(text).toString('base64url'))).toBeUndefined()
})
