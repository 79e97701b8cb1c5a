import { createFft } from '@vaani/pcm-audio'
import { BAND_COUNT, BAND_HZ, LOWEST_HZ, ROW_COUNT, ROW_SECONDS } from './pattern.ts'

/** Amplitude factors of a cell, 1 ± 0.22: +1.7 dB and -2.2 dB, which the voice masks (docs/decisions/0031-watermark.md). */
const DEPTH = 0.22
/** How much a mark raises the power of speech on average: half of the cells become louder, half softer. */
export const MARK_GAIN_DB = 10 * Math.log10(1 + DEPTH ** 2)
const FRAMES_PER_ROW = 2
/** Distance of frames, which overlap by half. */
export const FRAME_SECONDS = ROW_SECONDS / FRAMES_PER_ROW

/** Where a frame is in the stream, and the lengths of its halves in samples. */
export interface FramePlace {
  frame: number
  rising: number
  falling: number
}

/**
 * Creates a function that windows a frame, applies the gains of its row, and windows it again.
 *
 * @param options.signs - for each cell, 1 for louder and -1 for softer
 */
export function createFrameMarker(options: { signs: Int8Array; sampleRateHz: number }) {
  const { signs, sampleRateHz } = options
  const size = 2 ** Math.ceil(Math.log2(2 * Math.ceil(FRAME_SECONDS * sampleRateHz)))
  const fft = createFft(size)
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  const firstBin = Math.ceil((LOWEST_HZ * size) / sampleRateHz)
  const bands = Array.from({ length: size / 2 }, (_, bin) =>
    Math.floor(((bin * sampleRateHz) / size - LOWEST_HZ) / BAND_HZ),
  )
  /** A quarter of a sine for halves of a length. The squares of the rising and the falling one add up to 1. */
  const quarters = new Map<number, Float64Array>()
  const quarterOf = (length: number): Float64Array => {
    const quarter =
      quarters.get(length) ??
      Float64Array.from({ length }, (_, index) => Math.sin(((Math.PI / 2) * (index + 0.5)) / length))
    quarters.set(length, quarter)
    return quarter
  }

  function applyWindow(samples: Float64Array, { rising, falling }: FramePlace, scale: number): boolean {
    const rise = quarterOf(rising)
    const fall = quarterOf(falling)
    let heard = false
    for (let index = 0; index < rising + falling; index++) {
      const weight = index < rising ? rise[index] : fall[rising + falling - 1 - index]
      const value = (samples[index] ?? 0) * (weight ?? 0) * scale
      real[index] = value
      heard ||= value !== 0
    }
    return heard
  }

  return {
    /** Returns an array that the next call overwrites. */
    mark(samples: Float64Array, place: FramePlace): Float64Array {
      real.fill(0)
      imaginary.fill(0)
      if (!applyWindow(samples, place, 1)) return real
      fft.forward(real, imaginary)
      const row = Math.floor(place.frame / FRAMES_PER_ROW) % ROW_COUNT
      for (let bin = firstBin; bin < size / 2; bin++) {
        const band = bands[bin] ?? BAND_COUNT
        if (band >= BAND_COUNT) break
        const gain = 1 + DEPTH * (signs[row * BAND_COUNT + band] ?? 0)
        for (const index of [bin, size - bin]) {
          real[index] = (real[index] ?? 0) * gain
          imaginary[index] = (imaginary[index] ?? 0) * gain
        }
      }
      // With the parts exchanged, the forward transform is the inverse one times the size.
      fft.forward(imaginary, real)
      applyWindow(real, place, 1 / size)
      return real
    },
  }
}
