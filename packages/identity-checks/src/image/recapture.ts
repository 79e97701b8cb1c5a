import type { CheckResult } from '../check.ts'
import { type GreyImage, type OpenedImage, readGrey } from './open-image.ts'

const MODEL = 'moire-peaks/1'
/** No smaller: scaling down would take away what is looked for. */
const SIDE = 2400
const TILE = 512
const TILES = 3
/** Of a peak over its surroundings. Set on generated pictures (README): direct ones stay below 7. */
export const RECAPTURE_LIMITS = { suspected: 7, strong: 15 } as const

/**
 * Whether a picture was taken of a screen, by the moiré of its pixels: isolated peaks off the axes of the spectrum.
 * Finds crude recaptures only: dense screens, prints and pictures that were scaled down have none, so a pass is no
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
    // 1 without a peak, 0.5 at suspicion, 0 where it is strong.
    score: Math.round(Math.max(0, 1 - (peak - 1) / (2 * (RECAPTURE_LIMITS.suspected - 1))) * 1000) / 1000,
    evidence: {
      peak: Math.round(peak * 100) / 100,
      suspected: RECAPTURE_LIMITS.suspected,
      strong: RECAPTURE_LIMITS.strong,
    },
    model: MODEL,
  }
}

/** The median over tiles of their strongest peaks; null where no tile fits. */
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

/** Magnitudes of the tile's two-dimensional Fourier transform, under a Hann window. */
function spectrum(tile: { data: Uint8Array; width: number; x: number; y: number }): Float64Array {
  const { data, width, x: left, y: top } = tile
  const pixel = (x: number, y: number) => data[(top + y) * width + left + x] ?? 0
  let mean = 0
  for (let y = 0; y < TILE; y++) for (let x = 0; x < TILE; x++) mean += pixel(x, y)
  mean /= TILE * TILE
  const hann = Float64Array.from(
    { length: TILE },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (TILE - 1)),
  )
  const real = new Float64Array(TILE * TILE)
  const imaginary = new Float64Array(TILE * TILE)
  for (let y = 0; y < TILE; y++)
    for (let x = 0; x < TILE; x++) real[y * TILE + x] = (pixel(x, y) - mean) * (hann[x] ?? 0) * (hann[y] ?? 0)
  const lineReal = new Float64Array(TILE)
  const lineImaginary = new Float64Array(TILE)
  for (const [step, stride] of [
    [1, TILE],
    [TILE, 1],
  ] as const)
    for (let line = 0; line < TILE; line++) {
      for (let i = 0; i < TILE; i++) {
        lineReal[i] = real[line * stride + i * step] ?? 0
        lineImaginary[i] = imaginary[line * stride + i * step] ?? 0
      }
      transform(lineReal, lineImaginary)
      for (let i = 0; i < TILE; i++) {
        real[line * stride + i * step] = lineReal[i] ?? 0
        imaginary[line * stride + i * step] = lineImaginary[i] ?? 0
      }
    }
  return real.map((value, index) => Math.hypot(value, imaginary[index] ?? 0))
}

/** The fast Fourier transform in place, radix 2 (Cooley and Tukey, 1965). */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[real[i], real[j]] = [real[j] ?? 0, real[i] ?? 0]
      ;[imaginary[i], imaginary[j]] = [imaginary[j] ?? 0, imaginary[i] ?? 0]
    }
  }
  for (let length = 2; length <= size; length <<= 1) {
    const angle = (-2 * Math.PI) / length
    for (let start = 0; start < size; start += length)
      for (let k = 0; k < length / 2; k++) {
        const cos = Math.cos(angle * k)
        const sin = Math.sin(angle * k)
        const [a, b] = [start + k, start + k + length / 2]
        const [br, bi] = [real[b] ?? 0, imaginary[b] ?? 0]
        const [tr, ti] = [br * cos - bi * sin, br * sin + bi * cos]
        real[b] = (real[a] ?? 0) - tr
        imaginary[b] = (imaginary[a] ?? 0) - ti
        real[a] = (real[a] ?? 0) + tr
        imaginary[a] = (imaginary[a] ?? 0) + ti
      }
  }
}

const FREQUENCIES = { lowest: 60, highest: 250, offAxis: 6 }
const STRONGEST = 4

/** The mean of the strongest isolated peaks, each over the mean of its surroundings. */
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

/** A local maximum over its ring of 4 to 6 bins; null where it is none. */
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
