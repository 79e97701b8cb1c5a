import { createPowerSpectrum, hannWindow } from '@vaani/pcm-audio'
import { ANALYSIS_RATE_HZ, FRAMES_PER_SECOND } from './track-voice.ts'

/** Coefficients of a frame, from the first on. The one before it would be the level. */
export const CEPSTRA = 19
const SIZE = 512
const LOWEST_HZ = 100

/** `wide` is what most recordings have, and `narrow` what a telephone passes. */
export const BANDWIDTHS = ['wide', 'narrow'] as const
export type Bandwidth = (typeof BANDWIDTHS)[number]
const EDGES: Readonly<Record<Bandwidth, { highestHz: number; bands: number }>> = {
  wide: { highestHz: 7000, bands: 26 },
  narrow: { highestHz: 3800, bands: 22 },
}

/** O'Shaughnessy, Speech Communication: Human and Machine (1987), p. 150. */
const melOf = (hz: number): number => 1127 * Math.log(1 + hz / 700)
const hzOf = (mel: number): number => 700 * (Math.exp(mel / 1127) - 1)

/** Makes a function that computes the coefficients of a frame from its power spectrum. */
function createTransform(bandwidth: Bandwidth): (power: Float64Array) => number[] {
  const { highestHz, bands } = EDGES[bandwidth]
  const step = (melOf(highestHz) - melOf(LOWEST_HZ)) / (bands + 1)
  const binOf = (edge: number) => (hzOf(melOf(LOWEST_HZ) + edge * step) * SIZE) / ANALYSIS_RATE_HZ
  const filters = Array.from({ length: bands }, (_, band) => {
    const [lower, middle, upper] = [binOf(band), binOf(band + 1), binOf(band + 2)]
    const first = Math.ceil(lower)
    const weights = Float64Array.from({ length: Math.floor(upper) - first + 1 }, (__, index) => {
      const bin = first + index
      return bin < middle ? (bin - lower) / (middle - lower) : (upper - bin) / (upper - middle)
    })
    return { first, weights }
  })
  const cosines = Array.from({ length: CEPSTRA }, (_, index) =>
    Float64Array.from({ length: bands }, (__, band) =>
      Math.cos((Math.PI * (index + 1) * (band + 0.5)) / bands),
    ),
  )
  return (power) => {
    const levels = filters.map(({ first, weights }) =>
      Math.log(weights.reduce((sum, weight, index) => sum + weight * (power[first + index] ?? 0), 1e-9)),
    )
    return cosines.map(
      (cosine) => (2 / bands) * cosine.reduce((sum, value, band) => sum + value * (levels[band] ?? 0), 0),
    )
  }
}

const transforms = { wide: createTransform('wide'), narrow: createTransform('narrow') }

/** What is computed of frames. */
export interface Cepstra {
  /** `CEPSTRA` values for each frame. */
  frames: Readonly<Record<Bandwidth, readonly number[]>>[]
  /** How far the power above the narrow band is below that within it, on average, in dB. */
  dropDb: number
}

/**
 * Computes mel-frequency cepstral coefficients (Davis and Mermelstein, IEEE Trans. ASSP 28(4), 1980) of 32 ms around the
 * middle of each of these frames. Before and after the recording is silence.
 *
 * @param samples at 16 kHz, from -1 to 1
 * @param frames positions in a `VoiceTrack`
 */
export function cepstraOf(samples: Float32Array, frames: readonly number[]): Cepstra {
  const powerOf = createPowerSpectrum(SIZE)
  const window = hannWindow(SIZE)
  const windowed = new Float64Array(SIZE)
  const power = new Float64Array(SIZE / 2 + 1)
  const step = ANALYSIS_RATE_HZ / FRAMES_PER_SECOND
  let dropDb = 0
  const found = frames.map((frame) => {
    const start = frame * step + step / 2 - SIZE / 2
    for (let index = 0; index < SIZE; index++)
      windowed[index] = (window[index] ?? 0) * (samples[start + index] ?? 0)
    powerOf(windowed, power)
    dropDb += (10 * Math.log10(powerIn(power, 300, 3400) / powerIn(power, 4500, 7000))) / frames.length
    return { wide: transforms.wide(power), narrow: transforms.narrow(power) }
  })
  return { frames: found, dropDb }
}

function powerIn(power: Float64Array, fromHz: number, toHz: number): number {
  const binOf = (hz: number) => Math.round((hz * SIZE) / ANALYSIS_RATE_HZ)
  return power.subarray(binOf(fromHz), binOf(toHz)).reduce((sum, value) => sum + value, 1e-12)
}
