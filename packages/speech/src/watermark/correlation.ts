import { createFft } from '@vaani/pcm-audio'
import { BAND_COUNT, ROW_COUNT } from './pattern.ts'
import { OFFSET_COUNT, STEPS_PER_ROW } from './steps.ts'

/**
 * Creates a function that correlates a fold with a grid of cells, at every offset at which the grid can start. Each band is a
 * circular correlation by Fourier transforms. Two bands make one complex column, because the real part of
 * `(x + iy) * conjugate(u + iv)` is `xu + yv`. The function returns an array that its next call overwrites.
 */
export function createCorrelation(grid: Float32Array): (fold: Float32Array) => Float64Array {
  const fft = createFft(ROW_COUNT)
  const transform = (values: Float32Array, from: number, step: number) => {
    const column = { real: new Float64Array(ROW_COUNT), imaginary: new Float64Array(ROW_COUNT) }
    load(column, values, { from, step })
    fft.forward(column.real, column.imaginary)
    return column
  }
  const columns = Array.from({ length: BAND_COUNT / 2 }, (_, pair) => transform(grid, 2 * pair, BAND_COUNT))
  const { real, imaginary } = transform(grid, 0, BAND_COUNT)
  const realSums = new Float64Array(ROW_COUNT)
  const imaginarySums = new Float64Array(ROW_COUNT)
  const correlation = new Float64Array(OFFSET_COUNT)
  return (fold) => {
    // A grid can only start at a row of the steps with the same remainder.
    for (let remainder = 0; remainder < STEPS_PER_ROW; remainder++) {
      realSums.fill(0)
      imaginarySums.fill(0)
      for (const [pair, column] of columns.entries()) {
        const from = remainder * BAND_COUNT + 2 * pair
        load({ real, imaginary }, fold, { from, step: STEPS_PER_ROW * BAND_COUNT })
        fft.forward(real, imaginary)
        for (let index = 0; index < ROW_COUNT; index++) {
          const a = real[index] ?? 0
          const b = imaginary[index] ?? 0
          const c = column.real[index] ?? 0
          const d = column.imaginary[index] ?? 0
          realSums[index] = (realSums[index] ?? 0) + a * c + b * d
          imaginarySums[index] = (imaginarySums[index] ?? 0) + b * c - a * d
        }
      }
      // With the parts exchanged, the forward transform is the inverse one times the size.
      fft.forward(imaginarySums, realSums)
      for (let row = 0; row < ROW_COUNT; row++)
        correlation[row * STEPS_PER_ROW + remainder] = (realSums[row] ?? 0) / ROW_COUNT
    }
    return correlation
  }
}

interface Column {
  real: Float64Array
  imaginary: Float64Array
}

/** Copies two neighbouring bands into a column. */
function load(column: Column, values: Float32Array, place: { from: number; step: number }): void {
  for (let row = 0, at = place.from; row < ROW_COUNT; row++, at += place.step) {
    column.real[row] = values[at] ?? 0
    column.imaginary[row] = values[at + 1] ?? 0
  }
}
