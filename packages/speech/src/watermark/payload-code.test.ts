import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODED_BITS, decodePayload, encodePayload } from './payload-code.ts'
import { seededRandom } from '../../test/seeded-random.ts'

const payloads = fc.integer({ min: 0, max: 0xff_ff_ff_ff })

test('reads a payload although any 8 of its 132 signs are wrong', () => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: CODED_BITS - 1 }), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(payloads, places, (payload, wrong) => {
      const soft = Float64Array.from(encodePayload(payload))
      for (const place of wrong) soft[place] = -(soft[place] ?? 0)
      expect(decodePayload(soft)).toBe(payload)
    }),
    { numRuns: 50, seed: 1 },
  )
})

test('reads no payload from noise', () => {
  const random = seededRandom(1)
  for (let trial = 0; trial < 50; trial++)
    expect(decodePayload(Float64Array.from({ length: CODED_BITS }, () => random() - 0.5))).toBeUndefined()
})

test('refuses a message whose check does not agree', () => {
  // The code is circular: other signs first make a codeword of the message turned by a bit.
  const signs = [...encodePayload(0x92_34_56_78)]
  expect(decodePayload(Float64Array.from([...signs.slice(3), ...signs.slice(0, 3)]))).toBeUndefined()
})
