import { createPowerSpectrum, hannWindow } from '@vaani/pcm-audio'
import { ANALYSIS_RATE_HZ, FRAMES_PER_SECOND } from './track-voice.ts'

/** Coefficients of a frame, from the first on. The one before it would be the level. */
export const CEPSTRA = 19
const SIZE = 512
const BANDS = 26
const LOWEST_HZ = 100
const HIGHEST_HZ = 7000

/** O'Shaughnessy, Speech Communication: Human and Machine (1987), p. 150. */
const melOf = (hz: number): number => 1127 * Math.log(1 + hz / 700)
const hzOf = (mel: number): number => 700 * (Math.exp(mel / 1127) - 1)

interface Band {
  first: number
  weights: Float64Array
}

const bands: readonly Band[] = Array.from({ length: BANDS }, (_, band) => {
  const step = (melOf(HIGHEST_HZ) - melOf(LOWEST_HZ)) / (BANDS + 1)
  const binOf = (edge: number) => (hzOf(melOf(LOWEST_HZ) + edge * step) * SIZE) / ANALYSIS_RATE_HZ
  const [lower, middle, upper] = [binOf(band), binOf(band + 1), binOf(band + 2)]
  const first = Math.ceil(lower)
  const weights = Float64Array.from({ length: Math.floor(upper) - first + 1 }, (_, index) => {
    const bin = first + index
    return bin < middle ? (bin - lower) / (middle - lower) : (upper - bin) / (upper - middle)
  })
  return { first, weights }
})

const cosines = Array.from({ length: CEPSTRA }, (_, index) =>
  Float64Array.from({ length: BANDS }, (_, band) => Math.cos((Math.PI * (index + 1) * (band + 0.5)) / BANDS)),
)

/**
 * Computes mel-frequency cepstral coefficients (Davis and Mermelstein, IEEE Trans. ASSP 28(4), 1980) of 32 ms around the
 * middle of each of these frames. Before and after the recording is silence.
 *
 * @param samples at 16 kHz, from -1 to 1
 * @param frames positions in a `VoiceTrack`
 * @returns `CEPSTRA` values for each frame
 */
export function cepstraOf(samples: Float32Array, frames: readonly number[]): number[][] {
  const powerOf = createPowerSpectrum(SIZE)
  const window = hannWindow(SIZE)
  const windowed = new Float64Array(SIZE)
  const power = new Float64Array(SIZE / 2 + 1)
  const step = ANALYSIS_RATE_HZ / FRAMES_PER_SECOND
  return frames.map((frame) => {
    const start = frame * step + step / 2 - SIZE / 2
    for (let index = 0; index < SIZE; index++)
      windowed[index] = (window[index] ?? 0) * (samples[start + index] ?? 0)
    powerOf(windowed, power)
    const levels = bands.map(({ first, weights }) =>
      Math.log(weights.reduce((sum, weight, index) => sum + weight * (power[first + index] ?? 0), 1e-9)),
    )
    return cosines.map(
      (cosine) => (2 / BANDS) * cosine.reduce((sum, value, band) => sum + value * (levels[band] ?? 0), 0),
    )
  })
}
