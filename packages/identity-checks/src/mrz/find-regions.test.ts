import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRegions, type Region } from './find-regions.ts'

/** Adds the pixels one by one, from each to its neighbours. */
function findByPixels(values: Float32Array, { width, height }: { width: number; height: number }): Region[] {
  const seen = new Set<number>()
  return [...values.keys()].flatMap((start) => {
    const open = [start]
    const xs: number[] = []
    const ys: number[] = []
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at) || (values[at] ?? 0) <= 0) continue
      seen.add(at)
      const [x, y] = [at % width, Math.floor(at / width)]
      xs.push(x)
      ys.push(y)
      if (x > 0) open.push(at - 1)
      if (x < width - 1) open.push(at + 1)
      if (y > 0) open.push(at - width)
      if (y < height - 1) open.push(at + width)
    }
    const sum = (of: (x: number, y: number) => number) =>
      xs.reduce((total, x, index) => total + of(x, ys[index] ?? 0), 0)
    return xs.length === 0
      ? []
      : {
          left: Math.min(...xs),
          right: Math.max(...xs),
          count: xs.length,
          sumX: sum((x) => x),
          sumY: sum((_, y) => y),
          sumXX: sum((x) => x * x),
          sumXY: sum((x, y) => x * y),
        }
  })
}

test('regions are those that neighbouring pixels make, in the order of their first pixels', () => {
  const pictures = fc.integer({ min: 1, max: 12 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      height: fc.integer({ min: 1, max: 12 }),
      pixels: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 144, maxLength: 144 }),
    }),
  )
  fc.assert(
    fc.property(pictures, ({ width, height, pixels }) => {
      const values = Float32Array.from(pixels.slice(0, width * height))
      const regions = findRegions(values, { width, height, threshold: 0 })
      const expected = findByPixels(values, { width, height })
      expect(regions).toHaveLength(expected.length)
      expect(regions).toMatchObject(expected)
    }),
  )
})
