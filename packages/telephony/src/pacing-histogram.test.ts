import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addGap, createPacingCells, takePacing } from './pacing-histogram.ts'

test('percentiles equal those of the sorted gaps to within half a bin', () => {
  const cells = createPacingCells()
  const gap = fc.double({ min: 0, max: 199, noNaN: true })
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1, maxLength: 300 }), (gapsMs) => {
      for (const gapMs of gapsMs) addGap(cells, gapMs)
      const sorted = gapsMs.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
      const { p50Ms, p99Ms, maxMs, gaps } = takePacing(cells)
      expect(gaps).toBe(gapsMs.length)
      expect(Math.abs(p50Ms - at(0.5))).toBeLessThanOrEqual(0.0501)
      expect(Math.abs(p99Ms - at(0.99))).toBeLessThanOrEqual(0.0501)
      expect(maxMs).toBeCloseTo(at(1), 3)
    }),
  )
})

test('reports a gap beyond the bins by its length', () => {
  const cells = createPacingCells()
  addGap(cells, 1234.5)
  expect(takePacing(cells)).toEqual({ p50Ms: 1234.5, p99Ms: 1234.5, maxMs: 1234.5, gaps: 1 })
})
