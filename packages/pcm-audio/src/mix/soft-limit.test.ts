import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMIT_KNEE, softLimit } from './soft-limit.ts'

test('limits values beyond the knee monotonically and symmetrically, within full scale', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -4, max: 4, noNaN: true }),
      fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
      fc.oneof(fc.constant(LIMIT_KNEE), fc.double({ min: 0, max: 1, noNaN: true })),
      (value, more, knee) => {
        expect(softLimit(value + more, knee)).toBeGreaterThanOrEqual(softLimit(value, knee))
        expect(Math.abs(softLimit(value, knee))).toBeLessThanOrEqual(1)
        expect(softLimit(-value, knee)).toBe(-softLimit(value, knee))
        if (Math.abs(value) <= knee) expect(softLimit(value, knee)).toBe(value)
      },
    ),
  )
})
