import { createPowerSpectrum, hannWindow } from '@vaani/pcm-audio'
import { BAND_COUNT, BAND_HZ, LOWEST_HZ } from './pattern.ts'
import { STEP_SECONDS } from './steps.ts'

const FRAME_SECONDS = 0.032
/** `Math.log` takes half of the time of `Math.log10`. */
const DECIBELS = 10 / Math.LN10
/** Added to each band relative to the mean power of all bands, so that noise far below the speech does not count: -60 dB. */
const FLOOR = 1e-6

/** Spectra of consecutive frames, as running sums of power over the bins. */
export interface SpectralFrames {
  /** Takes samples, and calls `onFull` whenever the buffer has its capacity of frames. */
  push(samples: Float32Array | Int16Array): void
  readonly count: number
  /** Drops the oldest frames. */
  drop(count: number): void
  /**
   * Returns the level of each band in dB, `count * BAND_COUNT` numbers. The edges of the bands are multiplied by a factor.
   */
  levels(frequencyFactor: number): Float32Array
}

/** Creates a buffer of spectra. `onFull` has to drop frames. */
export function createSpectralFrames(options: {
  sampleRateHz: number
  capacity: number
  onFull: () => void
}): SpectralFrames {
  const { sampleRateHz, capacity, onFull } = options
  const length = Math.round(FRAME_SECONDS * sampleRateHz)
  const size = 2 ** Math.ceil(Math.log2(length))
  const bins = size / 2 + 1
  const window = hannWindow(length)
  const powerSpectrum = createPowerSpectrum(size)
  const windowed = new Float64Array(size)
  const power = new Float64Array(bins)
  // sums[frame * (bins + 1) + bin] is the power of all bins below.
  const sums = new Float64Array(capacity * (bins + 1))
  const input = new Float64Array(length)
  let filled = 0
  let taken = 0
  let count = 0
  const startOf = (frame: number) => Math.round(frame * STEP_SECONDS * sampleRateHz)

  function addFrame(): void {
    for (let index = 0; index < length; index++) windowed[index] = (input[index] ?? 0) * (window[index] ?? 0)
    powerSpectrum(windowed, power)
    let sum = 0
    let at = count * (bins + 1)
    sums[at++] = 0
    for (let bin = 0; bin < bins; bin++) sums[at++] = sum += power[bin] ?? 0
    count++
    const step = startOf(taken + 1) - startOf(taken)
    input.copyWithin(0, step)
    filled -= step
    taken++
    if (count === capacity) onFull()
  }

  /** Returns the power below an edge, interpolated within its bin. */
  function powerBelow(frame: number, edge: number): number {
    const bin = Math.floor(edge)
    const at = frame * (bins + 1) + bin
    const below = sums[at] ?? 0
    return below + (edge - bin) * ((sums[at + 1] ?? 0) - below)
  }

  function bandPowers(frequencyFactor: number): { powers: Float64Array; mean: number } {
    const powers = new Float64Array(count * BAND_COUNT)
    const edges = Float64Array.from({ length: BAND_COUNT + 1 }, (_, band) =>
      // A bin reaches half a bin to either side of its frequency.
      Math.min(bins - 0.001, ((LOWEST_HZ + band * BAND_HZ) * frequencyFactor * size) / sampleRateHz + 0.5),
    )
    let total = 0
    for (let frame = 0; frame < count; frame++) {
      let below = powerBelow(frame, edges[0] ?? 0)
      for (let band = 0; band < BAND_COUNT; band++) {
        const above = powerBelow(frame, edges[band + 1] ?? 0)
        powers[frame * BAND_COUNT + band] = above - below
        total += above - below
        below = above
      }
    }
    return { powers, mean: total / count }
  }

  return {
    get count() {
      return count
    },
    push(samples) {
      for (let from = 0; from < samples.length;) {
        const more = Math.min(length - filled, samples.length - from)
        for (let index = 0; index < more; index++) input[filled + index] = samples[from + index] ?? 0
        filled += more
        from += more
        if (filled === length) addFrame()
      }
    },
    drop(dropped) {
      sums.copyWithin(0, dropped * (bins + 1), count * (bins + 1))
      count -= dropped
    },
    levels(frequencyFactor) {
      const { powers, mean } = bandPowers(frequencyFactor)
      const floor = mean * FLOOR
      const levels = new Float32Array(powers.length)
      if (floor === 0) return levels
      for (let index = 0; index < powers.length; index++)
        levels[index] = DECIBELS * Math.log(Math.max(0, powers[index] ?? 0) + floor)
      return levels
    },
  }
}
