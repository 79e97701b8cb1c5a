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
      outcome: 'warning',
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
  const spectrumOf = createSpectrum()
  const scores: number[] = []
  for (let row = 0; row < TILES; row++)
    for (let column = 0; column < TILES; column++) {
      const x = Math.round(((width - TILE) * column) / (TILES - 1))
      const y = Math.round(((height - TILE) * row) / (TILES - 1))
      scores.push(measurePeaks(spectrumOf(data, { width, from: y * width + x })))
    }
  return scores.toSorted((a, b) => b - a)[scores.length >> 1] ?? null
}

const MIDDLE = TILE / 2
/** Columns of the half of a spectrum, from the lowest horizontal frequency, `-MIDDLE`, to the highest. */
const COLUMNS = TILE + 1

type Spectrum = (pixels: Uint8Array, tile: { width: number; from: number }) => Float64Array

/**
 * Creates a function that computes the magnitudes of a tile's two-dimensional Fourier transform under a Hann window: rows of
 * the vertical frequencies 0 to `MIDDLE`, because the other half mirrors them. Because pixels are real, two rows fit into one
 * complex transform, and columns beyond the middle mirror those before it, so the work is halved twice. The result is valid
 * until the next call.
 */
function createSpectrum(): Spectrum {
  const fft = createFft(TILE)
  const hann = Float64Array.from(
    { length: TILE },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (TILE - 1)),
  )
  // Stored column by column, so that the second pass reads them in order.
  const columnsReal = new Float64Array((MIDDLE + 1) * TILE)
  const columnsImaginary = new Float64Array((MIDDLE + 1) * TILE)
  const real = new Float64Array(TILE)
  const imaginary = new Float64Array(TILE)
  const magnitudes = new Float64Array((MIDDLE + 1) * COLUMNS)

  return (pixels, { width, from }) => {
    let mean = 0
    for (let y = 0; y < TILE; y++) for (let x = 0; x < TILE; x++) mean += pixels[from + y * width + x] ?? 0
    mean /= TILE * TILE
    for (let y = 0; y < TILE; y += 2) {
      const start = from + y * width
      const [upper, lower] = [hann[y] ?? 0, hann[y + 1] ?? 0]
      for (let x = 0; x < TILE; x++) {
        const side = hann[x] ?? 0
        real[x] = ((pixels[start + x] ?? 0) - mean) * side * upper
        imaginary[x] = ((pixels[start + width + x] ?? 0) - mean) * side * lower
      }
      fft.forward(real, imaginary)
      for (let x = 0; x <= MIDDLE; x++) {
        const mirrored = (TILE - x) % TILE
        const a = real[x] ?? 0
        const b = imaginary[x] ?? 0
        const c = real[mirrored] ?? 0
        const d = imaginary[mirrored] ?? 0
        columnsReal[x * TILE + y] = (a + c) / 2
        columnsImaginary[x * TILE + y] = (b - d) / 2
        columnsReal[x * TILE + y + 1] = (b + d) / 2
        columnsImaginary[x * TILE + y + 1] = (c - a) / 2
      }
    }
    for (let x = 0; x <= MIDDLE; x++) {
      const columnReal = columnsReal.subarray(x * TILE, (x + 1) * TILE)
      const columnImaginary = columnsImaginary.subarray(x * TILE, (x + 1) * TILE)
      fft.forward(columnReal, columnImaginary)
      // Not `Math.hypot`, which takes ten times as long, for values that could overflow.
      const magnitudeAt = (y: number) => Math.sqrt((columnReal[y] ?? 0) ** 2 + (columnImaginary[y] ?? 0) ** 2)
      for (let y = 0; y <= MIDDLE; y++) {
        magnitudes[y * COLUMNS + MIDDLE + x] = magnitudeAt(y)
        magnitudes[y * COLUMNS + MIDDLE - x] = magnitudeAt((TILE - y) % TILE)
      }
    }
    return magnitudes
  }
}

const FREQUENCIES = { lowest: 60, highest: 250, offAxis: 6 }
const STRONGEST = 4

/** Returns the mean of the strongest isolated peaks, each relative to the mean of its surroundings. */
function measurePeaks(magnitudes: Float64Array): number {
  const { lowest, highest, offAxis } = FREQUENCIES
  const peaks: number[] = []
  for (let y = offAxis; y <= highest; y++)
    for (let x = -highest; x <= highest; x++) {
      const radius = x * x + y * y
      if (radius < lowest ** 2 || radius > highest ** 2 || Math.abs(x) < offAxis) continue
      const at = y * COLUMNS + MIDDLE + x
      if (isHighest(magnitudes, at)) peaks.push((magnitudes[at] ?? 0) / (meanAround(magnitudes, at) + 1e-9))
    }
  const strongest = peaks.toSorted((a, b) => b - a).slice(0, STRONGEST)
  return strongest.reduce((sum, ratio) => sum + ratio, 0) / STRONGEST
}

/** Bins around a peak: its own, that none may exceed, and the ring that it is compared with. */
const PEAK = 2
const RING = { inner: 4, outer: 6 }

function isHighest(magnitudes: Float64Array, at: number): boolean {
  const value = magnitudes[at] ?? 0
  // Beside it first, because nearly all end there.
  if ((magnitudes[at - 1] ?? 0) > value || (magnitudes[at + 1] ?? 0) > value) return false
  for (let dy = -PEAK; dy <= PEAK; dy++)
    for (let dx = -PEAK; dx <= PEAK; dx++) if ((magnitudes[at + dy * COLUMNS + dx] ?? 0) > value) return false
  return true
}

function meanAround(magnitudes: Float64Array, at: number): number {
  let sum = 0
  let count = 0
  for (let dy = -RING.outer; dy <= RING.outer; dy++)
    for (let dx = -RING.outer; dx <= RING.outer; dx++) {
      if (Math.abs(dx) < RING.inner && Math.abs(dy) < RING.inner) continue
      sum += magnitudes[at + dy * COLUMNS + dx] ?? 0
      count++
    }
  return sum / count
}
