import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBase64Decoder } from './base64-decoder.ts'

/** Cuts a text into pieces. */
function cut(text: string, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => Buffer.from(text.slice(at[index], end), 'latin1'))
}
function decode(parts: readonly Buffer[]): Buffer {
  const decoder = createBase64Decoder()
  const decoded = Buffer.concat(parts.map((part) => Buffer.from(decoder.push(part))))
  decoder.end()
  return decoded
}
const cuts = fc.array(fc.nat(500), { maxLength: 6 })

test('decodes to the same bytes, however the text is cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (bytes, places) => {
      expect(decode(cut(Buffer.from(bytes).toString('base64'), places))).toEqual(Buffer.from(bytes))
    }),
  )
})

test('accepts only canonical base64, however it is cut', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 24, unit: fc.constantFrom(...'ABab01+/=-_ \n') }),
    fc.base64String({ maxLength: 24 }),
  )
  fc.assert(
    fc.property(texts, cuts, (text, places) => {
      const isStrict = Buffer.from(text, 'base64').toString('base64') === text
      const run = () => decode(cut(text, places))
      if (isStrict) expect(run()).toEqual(Buffer.from(text, 'base64'))
      else expect(run).toThrow(expect.objectContaining({ name: 'Base64Error' }))
    }),
    { numRuns: 500 },
  )
})

test('recognizes a data URL', () => {
  for (const places of [[], [1], [2, 4], [5]])
    expect(() => decode(cut('data:image/png;base64,AAAA', places))).toThrow(
      expect.objectContaining({ code: 'data_url' }),
    )
})
