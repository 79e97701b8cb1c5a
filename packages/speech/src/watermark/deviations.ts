import { BAND_COUNT } from './pattern.ts'

/**
 * Weights of levels around a cell: of the cell's band, of the bands next to it, and of those after them. They are those of the linear
 * filter that shows the signs of the cells best in the speech for tuning, as it is, after Opus and μ-law, and with noise. The nearer
 * frames are inside the row, and the farther ones are in the rows before and after.
 */
const WEIGHTS: readonly { frames: number; weights: readonly [number, number, number] }[] = [
  { frames: 1, weights: [1, -0.31, -0.15] },
  { frames: 3, weights: [-0.55, 0.09, 0.14] },
]
/** Frames before and after that a deviation depends on. */
export const CONTEXT_FRAMES = 3
/** Larger deviations are onsets of the speech, so they count no more than this, in root mean squares of all. */
const CLIP = 1.6

/** Bands at a distance on either side; beyond an edge, the one on the other side. */
const beside = (distance: number) => ({
  low: Uint8Array.from({ length: BAND_COUNT }, (_, band) =>
    band < distance ? band + distance : band - distance,
  ),
  high: Uint8Array.from({ length: BAND_COUNT }, (_, band) =>
    band + distance < BAND_COUNT ? band + distance : band - distance,
  ),
})
const NEXT = beside(1)
const SECOND = beside(2)

/**
 * Computes by how much each cell deviates from its surroundings.
 *
 * @param levels - `frames * BAND_COUNT` levels in dB
 * @returns as many deviations; 0 for the frames without context
 */
export function deviationsOf(levels: Float32Array): Float32Array {
  const deviations = new Float32Array(levels.length)
  const to = levels.length - CONTEXT_FRAMES * BAND_COUNT
  for (const { frames, weights } of WEIGHTS)
    for (let row = CONTEXT_FRAMES * BAND_COUNT; row < to; row += BAND_COUNT)
      addWeighted(deviations, { levels, row, away: frames * BAND_COUNT, weights })
  clip(removeMeans(deviations))
  return deviations
}

/** Scratch for one row. */
const sums = new Float32Array(BAND_COUNT)

function addWeighted(
  deviations: Float32Array,
  options: { levels: Float32Array; row: number; away: number; weights: readonly [number, number, number] },
): void {
  const { levels, row, away, weights } = options
  const [own, next, second] = weights
  for (let band = 0; band < BAND_COUNT; band++)
    sums[band] = (levels[row - away + band] ?? 0) + (levels[row + away + band] ?? 0)
  for (let band = 0; band < BAND_COUNT; band++)
    deviations[row + band] =
      (deviations[row + band] ?? 0) +
      own * (sums[band] ?? 0) +
      next * ((sums[NEXT.low[band] ?? 0] ?? 0) + (sums[NEXT.high[band] ?? 0] ?? 0)) +
      second * ((sums[SECOND.low[band] ?? 0] ?? 0) + (sums[SECOND.high[band] ?? 0] ?? 0))
}

/** Subtracts the mean of each band, because the long-term spectrum would add up over the periods. */
function removeMeans(deviations: Float32Array): Float32Array {
  const totals = new Float64Array(BAND_COUNT)
  const frames = deviations.length / BAND_COUNT - 2 * CONTEXT_FRAMES
  const from = CONTEXT_FRAMES * BAND_COUNT
  const to = deviations.length - from
  for (let index = from; index < to; index++)
    totals[index % BAND_COUNT] = (totals[index % BAND_COUNT] ?? 0) + (deviations[index] ?? 0)
  for (let index = from; index < to; index++)
    deviations[index] = (deviations[index] ?? 0) - (totals[index % BAND_COUNT] ?? 0) / frames
  return deviations
}

function clip(deviations: Float32Array): void {
  let squares = 0
  for (let index = 0; index < deviations.length; index++) squares += (deviations[index] ?? 0) ** 2
  const limit = CLIP * Math.sqrt(squares / deviations.length)
  for (let index = 0; index < deviations.length; index++)
    deviations[index] = Math.max(-limit, Math.min(limit, deviations[index] ?? 0))
}
