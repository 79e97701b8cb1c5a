import { createCorrelation } from './correlation.ts'
import { BAND_COUNT, CELL_COUNT, type Pattern } from './pattern.ts'
import { OFFSET_COUNT, STEPS_PER_ROW } from './steps.ts'

/** Scores below about this are not computed. */
const PROMISING = 2

/** Deviations of cells, summed over the periods: `[offset * BAND_COUNT + band]`. */
export type Fold = Float32Array
export const createFold = (): Fold => new Float32Array(OFFSET_COUNT * BAND_COUNT)

/**
 * Adds the deviations of a segment to a fold, stretched to the time of the marked speech.
 *
 * @param options.deviations - `frames * BAND_COUNT` numbers
 * @param options.firstFrame - number of the first of these frames since the start of the recording
 * @param options.from - number of the first frame of the segment
 * @param options.to - number of the frame after the last
 * @param options.timeFactor - how much faster than the marked speech the recording runs
 */
export function addToFold(
  fold: Fold,
  options: { deviations: Float32Array; firstFrame: number; from: number; to: number; timeFactor: number },
): void {
  const { deviations, firstFrame, from, to, timeFactor } = options
  for (let step = Math.ceil(from * timeFactor); step < Math.ceil(to * timeFactor); step++) {
    const at = (Math.round(step / timeFactor) - firstFrame) * BAND_COUNT
    const into = (step % OFFSET_COUNT) * BAND_COUNT
    for (let band = 0; band < BAND_COUNT; band++)
      fold[into + band] = (fold[into + band] ?? 0) + (deviations[at + band] ?? 0)
  }
}

/** Adds a fold to another. */
export function addFold(into: Fold, added: Fold): void {
  for (let index = 0; index < into.length; index++) into[index] = (into[index] ?? 0) + (added[index] ?? 0)
}

/** A place at which the pattern may start, and how well it fits there. */
export interface Match {
  offset: number
  /** Correlation of the presence cells, in standard deviations. */
  score: number
}

/**
 * Creates a function that finds the offset at which the presence cells of a pattern fit a fold best. The score is the sum of
 * deviations times signs, divided by the root of the sum of their squares: over random signs it has a variance of 1, whatever
 * the deviations are.
 */
export function createSearch(pattern: Pattern): (fold: Fold) => Match {
  const { cells, signs } = pattern.presence
  const grid = new Float32Array(CELL_COUNT)
  for (const [index, cell] of cells.entries()) grid[cell] = signs[index] ?? 0
  const sumsOf = createCorrelation(grid)
  const places = Int32Array.from(cells, placeOf)
  return (fold) => {
    const sums = sumsOf(fold)
    const promising = PROMISING * Math.sqrt((sumOfSquares(fold) * places.length) / CELL_COUNT / STEPS_PER_ROW)
    let best: Match = { offset: 0, score: 0 }
    for (const [offset, sum] of sums.entries()) {
      if (sum <= promising) continue
      const from = offset * BAND_COUNT
      let squares = 0
      for (let index = 0; index < places.length; index++)
        squares += (fold[(from + (places[index] ?? 0)) % fold.length] ?? 0) ** 2
      const score = squares > 0 ? sum / Math.sqrt(squares) : 0
      if (score > best.score) best = { offset, score }
    }
    return best
  }
}

function sumOfSquares(fold: Fold): number {
  let sum = 0
  for (let index = 0; index < fold.length; index++) sum += (fold[index] ?? 0) ** 2
  return sum
}

/** Returns the deviation of each cell if the pattern starts at an offset. */
export function cellsAt(fold: Fold, offset: number): Float32Array {
  return Float32Array.from(
    { length: CELL_COUNT },
    (_, cell) => fold[(offset * BAND_COUNT + placeOf(cell)) % fold.length] ?? 0,
  )
}

const placeOf = (cell: number): number =>
  Math.floor(cell / BAND_COUNT) * STEPS_PER_ROW * BAND_COUNT + (cell % BAND_COUNT)
