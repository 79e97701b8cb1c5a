import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moneySchema, toUnits } from './money.ts'

test.each([
  ['0.014', 14_000],
  ['1', 1_000_000],
  ['12.50', 12_500_000],
  ['999999999.999999', 999_999_999_999_999],
])('%s is %i millionths', (text, micros) => expect(moneySchema.parse(text)).toBe(micros))

test.each(['', '-1', '1.', '.5', '1e3', '1,5', '0.0000001', '1000000000', ' 1', '१'])(
  '%j is refused',
  (text) => expect(moneySchema.safeParse(text).success).toBe(false),
)

test('an amount that is written is read back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (micros) => {
      const text = `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`
      expect(moneySchema.parse(text)).toBe(micros)
      expect(toUnits(micros)).toBe(Number(text))
    }),
  )
})
