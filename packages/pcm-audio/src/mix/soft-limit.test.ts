import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMIT_KNEE, softLimit } from './soft-limit.ts'

test('limits values beyond the knee monotonically and symmetrically, within full scale', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
      (value, more) => {
        expect(softLimit(value + more)).toBeGreaterThanOrEqual(softLimit(value))
        expect(Math.abs(softLimit(value))).toBeLessThanOrEqual(1)
        expect(softLimit(-value)).toBe(-softLimit(value))
        if (Math.abs(value) <= LIMIT_KNEE) expect(softLimit(value)).toBe(value)
      },
    ),
  )
})
