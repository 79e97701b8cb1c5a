import fc from 'fast-check'
import { expect, test } from 'vitest'
import { despeckle } from './despeckle.ts'

test('each pixel becomes the median of those around it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      fc.infiniteStream(fc.nat(255)),
      (width, height, values) => {
        const data = Uint8Array.from(values.take(width * height))
        const at = (x: number, y: number) =>
          data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0
        const around = (index: number) =>
          [-1, 0, 1].flatMap((dy) =>
            [-1, 0, 1].map((dx) => at((index % width) + dx, Math.floor(index / width) + dy)),
          )
        const medians = data.map((_, index) => around(index).toSorted((a, b) => a - b)[4] ?? 0)
        expect(despeckle({ data, width, height }).data).toEqual(medians)
      },
    ),
  )
})
