import { createFft } from '@vaani/pcm-audio'
import { type CheckResult, toScore } from '../check.ts'
import { type GreyImage, type OpenedImage, readGrey } from './open-image.ts'

const MODEL = 'moire-peaks/1'
/** Large, because scaling down would remove the moiré. */
const SIDE = 2400
const TILE = 512
const TILES = 3
/** Limits of a peak relative to its surroundings. Set on generated pictures (README): direct ones stay below 7. */
export const RECAPTURE_LIMITS = { suspected: 7, strong: 15 } as const

/**
 * Checks whether a picture was taken of a screen, by the moiré of the screen's pixels: isolated peaks off the axes of the
 * spectrum. It detects only crude recaptures. Dense screens, prints and downscaled pictures have no moiré, so a pass is no
 * evidence of an original.
 */
export async function checkRecapture(image: OpenedImage): Promise<CheckResult> {
  const grey = await readGrey(image, SIDE)
  const peak = measureMoire(grey)
  if (peak === null)
    return {
      check: 'document_recapture',
      outcome: 'not_run',
      code: 'image_too_small',
      score: null,
      evidence: { short_side_pixels: Math.min(grey.width, grey.height), short_side_pixels_min: TILE },
      model: null,
    }
  const outcome =
    peak >= RECAPTURE_LIMITS.strong ? 'failed' : peak >= RECAPTURE_LIMITS.suspected ? 'warning' : 'passed'
  return {
    check: 'document_recapture',
    outcome,
    code: outcome === 'passed' ? 'no_moire' : 'recapture_suspected',
    // 1 without a peak, 0.5 at the limit of suspicion, 0 for a strong peak. A picture of one colour has no peak at all, not even 1.
    score: toScore(1 - (peak - 1) / (2 * (RECAPTURE_LIMITS.suspected - 1))),
    evidence: {
      peak: Math.round(peak * 100) / 100,
      suspected: RECAPTURE_LIMITS.suspected,
      strong: RECAPTURE_LIMITS.strong,
    },
    model: MODEL,
  }
}

/** Returns the median over tiles of their strongest peaks, or null if no tile fits. */
function measureMoire({ data, width, height }: GreyImage): number | null {
  if (width < TILE || height < TILE) return null
  const scores: number[] = []
  for (let row = 0; row < TILES; row++)
    for (let column = 0; column < TILES; column++) {
      const x = Math.round(((width - TILE) * column) / (TILES - 1))
      const y = Math.round(((height - TILE) * row) / (TILES - 1))
      scores.push(measurePeaks(spectrum({ data, width, x, y })))
    }
  return scores.toSorted((a, b) => b - a)[scores.length >> 1] ?? null
}

/**
 * Computes the magnitudes of a tile's two-dimensional Fourier transform under a Hann window. Because pixels are real, two
 * rows fit into one complex transform, and columns beyond the middle mirror those before it, so the work is halved twice.
 */
function spectrum(tile: { data: Uint8Array; width: number; x: number; y: number }): Float64Array {
  const { data, width, x: left, y: top } = tile
  const fft = createFft(TILE)
  const middle = TILE / 2
  const pixel = (x: number, y: number) => data[(top + y) * width + left + x] ?? 0
  let mean = 0
  for (let y = 0; y < TILE; y++) for (let x = 0; x < TILE; x++) mean += pixel(x, y)
  mean /= TILE * TILE
  const hann = Float64Array.from(
    { length: TILE },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (TILE - 1)),
  )
  // Stored column by column, so that the second pass reads them in order.
  const columnsReal = new Float64Array((middle + 1) * TILE)
  const columnsImaginary = new Float64Array((middle + 1) * TILE)
  const real = new Float64Array(TILE)
  const imaginary = new Float64Array(TILE)
  for (let y = 0; y < TILE; y += 2) {
    for (let x = 0; x < TILE; x++) {
      real[x] = (pixel(x, y) - mean) * (hann[x] ?? 0) * (hann[y] ?? 0)
      imaginary[x] = (pixel(x, y + 1) - mean) * (hann[x] ?? 0) * (hann[y + 1] ?? 0)
    }
    fft.forward(real, imaginary)
    for (let x = 0; x <= middle; x++) {
      const mirrored = (TILE - x) % TILE
      const [a, b] = [real[x] ?? 0, imaginary[x] ?? 0]
      const [c, d] = [real[mirrored] ?? 0, imaginary[mirrored] ?? 0]
      columnsReal[x * TILE + y] = (a + c) / 2
      columnsImaginary[x * TILE + y] = (b - d) / 2
      columnsReal[x * TILE + y + 1] = (b + d) / 2
      columnsImaginary[x * TILE + y + 1] = (c - a) / 2
    }
  }
  const magnitudes = new Float64Array(TILE * TILE)
  for (let x = 0; x <= middle; x++) {
    const columnReal = columnsReal.subarray(x * TILE, (x + 1) * TILE)
    const columnImaginary = columnsImaginary.subarray(x * TILE, (x + 1) * TILE)
    fft.forward(columnReal, columnImaginary)
    for (let y = 0; y < TILE; y++) {
      const magnitude = Math.hypot(columnReal[y] ?? 0, columnImaginary[y] ?? 0)
      magnitudes[y * TILE + x] = magnitude
      magnitudes[((TILE - y) % TILE) * TILE + ((TILE - x) % TILE)] = magnitude
    }
  }
  return magnitudes
}

const FREQUENCIES = { lowest: 60, highest: 250, offAxis: 6 }
const STRONGEST = 4

/** Returns the mean of the strongest isolated peaks, each relative to the mean of its surroundings. */
function measurePeaks(magnitudes: Float64Array): number {
  const at = (x: number, y: number) => magnitudes[((y + TILE) % TILE) * TILE + ((x + TILE) % TILE)] ?? 0
  const peaks: number[] = []
  for (let y = 0; y < TILE / 2; y++)
    for (let x = 0; x < TILE; x++) {
      const frequencyX = x < TILE / 2 ? x : x - TILE
      const radius = Math.hypot(frequencyX, y)
      if (radius < FREQUENCIES.lowest || radius > FREQUENCIES.highest) continue
      if (Math.abs(frequencyX) < FREQUENCIES.offAxis || y < FREQUENCIES.offAxis) continue
      const ratio = peakOver(at, x, y)
      if (ratio !== null) peaks.push(ratio)
    }
  const strongest = peaks.toSorted((a, b) => b - a).slice(0, STRONGEST)
  return strongest.reduce((sum, ratio) => sum + ratio, 0) / STRONGEST
}

/** Returns a local maximum relative to its ring of 4 to 6 bins, or null if it is not a maximum. */
function peakOver(at: (x: number, y: number) => number, x: number, y: number): number | null {
  const value = at(x, y)
  let sum = 0
  let count = 0
  for (let dy = -6; dy <= 6; dy++)
    for (let dx = -6; dx <= 6; dx++) {
      const other = at(x + dx, y + dy)
      if (Math.abs(dx) <= 2 && Math.abs(dy) <= 2) {
        if (other > value) return null
      } else if (Math.abs(dx) >= 4 || Math.abs(dy) >= 4) {
        sum += other
        count++
      }
    }
  return value / (sum / count + 1e-9)
}
