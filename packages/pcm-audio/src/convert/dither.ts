/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

/** Rounds floats to 16 bits with noise added first, so that the error does not depend on the sound. */
export interface Dither {
  /**
   * @param into destination, at least as long as the samples; by default a new array
   * @throws RangeError if `into` is too short
   */
  toInt16(samples: Float32Array, into?: Int16Array): Int16Array
}

/**
 * Creates a ditherer. It adds noise of triangular density, two steps wide, before rounding, so that neither the mean nor
 * the power of the error follows the sound (Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither: A Theoretical
 * Survey", JAES 40(5), 1992). Worthwhile for music and fades played loud; speech in 16 bits does not need it.
 *
 * @param options.seed a whole number; the same seed gives the same noise
 * @example
 * const dither = createDither({ seed: 1 })
 * console.log(dither.toInt16(new Float32Array(4)).every((sample) => Math.abs(sample) <= 1)) // true
 */
export function createDither(options: { seed: number }): Dither {
  // Replace 0, the one state that xorshift never leaves.
  let state = Math.trunc(options.seed) | 0 || 0x9e_37_79_b9 | 0
  /** Uniform in [-0.5, 0.5): xorshift32 of Marsaglia, "Xorshift RNGs", 2003. */
  const uniform = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 2 ** 32
  }
  return {
    toInt16(samples, into = new Int16Array(samples.length)) {
      if (into.length < samples.length)
        throw new RangeError('The array to fill must be as long as the samples')
      for (let index = 0; index < samples.length; index++) {
        const scaled = (samples[index] ?? 0) * 32_768 + uniform() + uniform()
        const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
        into[index] = clamped + ROUNDER - ROUNDER
      }
      return into.length === samples.length ? into : into.subarray(0, samples.length)
    },
  }
}
