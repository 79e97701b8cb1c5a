import { ILB } from './g722-tables.ts'

/** Limits a value to 16 bits (SATURATE). */
export const saturate = (value: number): number =>
  value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value

/** What differs between the two bands. */
interface BandOptions {
  /** Scale factor at reset. */
  readonly firstScale: number
  /** Highest logarithmic scale factor (LOGSCL, LOGSCH). */
  readonly highestLog: number
  /** Exponent of the highest octave of scale factors (SCALEL, SCALEH). */
  readonly octaves: number
}

export const LOWER_BAND: BandOptions = { firstScale: 32, highestLog: 18_432, octaves: 8 }
export const HIGHER_BAND: BandOptions = { firstScale: 8, highestLog: 22_528, octaves: 10 }

const ZEROS = 6

/** Adaptive predictor and scale factor of one band of ITU-T G.722. Encoder and decoder run the same. */
export class G722Band {
  /** Scale factor of the quantizer (DETL, DETH). */
  scale: number
  /** Prediction of the next sample (SL, SH). */
  prediction = 0
  readonly #options: BandOptions
  /** Logarithm of the scale factor (NBL, NBH). */
  #log = 0
  /** Sum of the zeros' part of the prediction (SZL, SZH). */
  #fromZeros = 0
  /** Coefficients of the poles and zeros (A and B), and the last reconstructed sample. */
  #pole1 = 0
  #pole2 = 0
  readonly #zeros = new Int16Array(ZEROS)
  #reconstructed1 = 0
  /** The last differences, newest first, each twice its value and limited, which is how the filter needs them. */
  readonly #doubled = new Int16Array(ZEROS)
  /** Signs of the last two partially reconstructed samples: 0 or -1. */
  #sign1 = 0
  #sign2 = 0

  constructor(options: BandOptions) {
    this.#options = options
    this.scale = options.firstScale
  }

  /**
   * Adapts to a sample.
   *
   * @param difference quantized difference to the prediction (DLT, DH)
   * @param step logarithmic multiplier of its code
   */
  adapt(difference: number, step: number): void {
    this.#adaptScale(step)
    const reconstructed = saturate(this.prediction + difference)
    this.#adaptPoles(saturate(this.#fromZeros + difference) >> 15)
    this.#adaptZeros(difference)
    this.#predict(reconstructed)
  }

  #adaptScale(step: number): void {
    const { highestLog, octaves } = this.#options
    this.#log = Math.min(highestLog, Math.max(0, ((this.#log * 127) >> 7) + step))
    const mantissa = ILB[(this.#log >> 6) & 31] ?? 0
    const shift = octaves - (this.#log >> 11)
    this.scale = (shift < 0 ? mantissa << -shift : mantissa >> shift) << 2
  }

  /** Blocks UPPOL2 and UPPOL1. */
  #adaptPoles(sign: number): void {
    const isLikeLast = sign === this.#sign1
    const quadruple = saturate(this.#pole1 << 2)
    const towards = (isLikeLast ? Math.min(32_767, -quadruple) : quadruple) >> 7
    const second = towards + (sign === this.#sign2 ? 128 : -128) + ((this.#pole2 * 32_512) >> 15)
    this.#pole2 = Math.min(12_288, Math.max(-12_288, second))
    const first = saturate((isLikeLast ? 192 : -192) + ((this.#pole1 * 32_640) >> 15))
    const limit = saturate(15_360 - this.#pole2)
    this.#pole1 = Math.min(limit, Math.max(-limit, first))
    this.#sign2 = this.#sign1
    this.#sign1 = sign
  }

  /** Blocks UPZERO, DELAYA and FILTEZ. One loop does all three, because a decoder spends most of its time here. */
  #adaptZeros(difference: number): void {
    const zeros = this.#zeros
    const doubled = this.#doubled
    const step = difference === 0 ? 0 : 128
    const sign = difference >> 15
    let sum = 0
    for (let index = ZEROS - 1; index >= 0; index--) {
      const isAlike = (doubled[index] ?? 0) >> 15 === sign
      const zero = saturate((((zeros[index] ?? 0) * 32_640) >> 15) + (isAlike ? step : -step))
      const input = index === 0 ? saturate(2 * difference) : (doubled[index - 1] ?? 0)
      zeros[index] = zero
      doubled[index] = input
      sum += (zero * input) >> 15
    }
    this.#fromZeros = saturate(sum)
  }

  /** Blocks FILTEP and PREDIC. */
  #predict(reconstructed: number): void {
    const fromPoles = saturate(
      ((this.#pole1 * saturate(2 * reconstructed)) >> 15) +
        ((this.#pole2 * saturate(2 * this.#reconstructed1)) >> 15),
    )
    this.#reconstructed1 = reconstructed
    this.prediction = saturate(fromPoles + this.#fromZeros)
  }
}
