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

interface SummedFramesOptions {
  sampleRateHz: number
  capacity: number
  onFull: () => void
}

/** Creates a buffer of spectra. `onFull` has to drop frames. */
export const createSpectralFrames = (options: SummedFramesOptions): SpectralFrames =>
  new SummedFrames(options)

class SummedFrames implements SpectralFrames {
  readonly #sampleRateHz: number
  readonly #capacity: number
  readonly #onFull: () => void
  readonly #length: number
  readonly #size: number
  readonly #bins: number
  readonly #window: Float64Array<ArrayBuffer>
  readonly #powerSpectrum: (samples: Float64Array, into: Float64Array) => void
  readonly #windowed: Float64Array<ArrayBuffer>
  readonly #power: Float64Array<ArrayBuffer>
  // sums[frame * (bins + 1) + bin] is the power of all bins below.
  readonly #sums: Float64Array<ArrayBuffer>
  readonly #input: Float64Array<ArrayBuffer>
  #filled = 0
  #taken = 0
  #count = 0

  constructor(options: SummedFramesOptions) {
    const { sampleRateHz, capacity, onFull } = options
    this.#sampleRateHz = sampleRateHz
    this.#capacity = capacity
    this.#onFull = onFull
    this.#length = Math.round(FRAME_SECONDS * sampleRateHz)
    this.#size = 2 ** Math.ceil(Math.log2(this.#length))
    this.#bins = this.#size / 2 + 1
    this.#window = hannWindow(this.#length)
    this.#powerSpectrum = createPowerSpectrum(this.#size)
    this.#windowed = new Float64Array(this.#size)
    this.#power = new Float64Array(this.#bins)
    this.#sums = new Float64Array(capacity * (this.#bins + 1))
    this.#input = new Float64Array(this.#length)
  }

  get count() {
    return this.#count
  }

  push(samples: Float32Array | Int16Array): void {
    for (let from = 0; from < samples.length;) {
      const more = Math.min(this.#length - this.#filled, samples.length - from)
      for (let index = 0; index < more; index++)
        this.#input[this.#filled + index] = samples[from + index] ?? 0
      this.#filled += more
      from += more
      if (this.#filled === this.#length) this.#addFrame()
    }
  }

  drop(dropped: number): void {
    this.#sums.copyWithin(0, dropped * (this.#bins + 1), this.#count * (this.#bins + 1))
    this.#count -= dropped
  }

  levels(frequencyFactor: number): Float32Array {
    const { powers, mean } = this.#bandPowers(frequencyFactor)
    const floor = mean * FLOOR
    const levels = new Float32Array(powers.length)
    if (floor === 0) return levels
    for (let index = 0; index < powers.length; index++)
      levels[index] = DECIBELS * Math.log(Math.max(0, powers[index] ?? 0) + floor)
    return levels
  }

  #startOf(frame: number): number {
    return Math.round(frame * STEP_SECONDS * this.#sampleRateHz)
  }

  #addFrame(): void {
    for (let index = 0; index < this.#length; index++)
      this.#windowed[index] = (this.#input[index] ?? 0) * (this.#window[index] ?? 0)
    this.#powerSpectrum(this.#windowed, this.#power)
    let sum = 0
    let at = this.#count * (this.#bins + 1)
    this.#sums[at++] = 0
    for (let bin = 0; bin < this.#bins; bin++) this.#sums[at++] = sum += this.#power[bin] ?? 0
    this.#count++
    const step = this.#startOf(this.#taken + 1) - this.#startOf(this.#taken)
    this.#input.copyWithin(0, step)
    this.#filled -= step
    this.#taken++
    if (this.#count === this.#capacity) this.#onFull()
  }

  /** Returns the power below an edge, interpolated within its bin. */
  #powerBelow(frame: number, edge: number): number {
    const bin = Math.floor(edge)
    const at = frame * (this.#bins + 1) + bin
    const below = this.#sums[at] ?? 0
    return below + (edge - bin) * ((this.#sums[at + 1] ?? 0) - below)
  }

  #bandPowers(frequencyFactor: number): { powers: Float64Array; mean: number } {
    const powers = new Float64Array(this.#count * BAND_COUNT)
    const edges = Float64Array.from({ length: BAND_COUNT + 1 }, (_, band) =>
      // A bin reaches half a bin to either side of its frequency.
      Math.min(
        this.#bins - 0.001,
        ((LOWEST_HZ + band * BAND_HZ) * frequencyFactor * this.#size) / this.#sampleRateHz + 0.5,
      ),
    )
    let total = 0
    for (let frame = 0; frame < this.#count; frame++) {
      let below = this.#powerBelow(frame, edges[0] ?? 0)
      for (let band = 0; band < BAND_COUNT; band++) {
        const above = this.#powerBelow(frame, edges[band + 1] ?? 0)
        powers[frame * BAND_COUNT + band] = above - below
        total += above - below
        below = above
      }
    }
    return { powers, mean: total / this.#count }
  }
}
