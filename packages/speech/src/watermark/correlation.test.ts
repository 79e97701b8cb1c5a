import { expect, test } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { createCorrelation } from './correlation.ts'
import { BAND_COUNT, CELL_COUNT, ROW_COUNT } from './pattern.ts'
import { OFFSET_COUNT, STEPS_PER_ROW } from './steps.ts'

test('is the sum of products at each offset', () => {
  const random = seededRandom(3)
  const grid = Float32Array.from({ length: CELL_COUNT }, () => Math.round(2 * random()) - 1)
  const fold = Float32Array.from({ length: OFFSET_COUNT * BAND_COUNT }, () => random() - 0.5)
  const correlation = createCorrelation(grid)(fold)
  for (const offset of [0, 1, 2, 77, OFFSET_COUNT - 1]) {
    let sum = 0
    for (let row = 0; row < ROW_COUNT; row++)
      for (let band = 0; band < BAND_COUNT; band++) {
        const step = (offset + row * STEPS_PER_ROW) % OFFSET_COUNT
        sum += (grid[row * BAND_COUNT + band] ?? 0) * (fold[step * BAND_COUNT + band] ?? 0)
      }
    expect(correlation[offset]).toBeCloseTo(sum, 6)
  }
})
