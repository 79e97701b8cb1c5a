import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amplitudeToDbfs, dbfsToAmplitude } from './dbfs.ts'

test('the two conversions are inverse to each other', () => {
  fc.assert(
    fc.property(fc.double({ min: -140, max: 20, noNaN: true }), (level) => {
      expect(amplitudeToDbfs(dbfsToAmplitude(level))).toBeCloseTo(level, 9)
    }),
  )
})
