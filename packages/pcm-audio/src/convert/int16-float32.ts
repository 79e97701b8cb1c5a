/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

/**
 * Converts 16-bit samples to floats in [-1, 1), exactly.
 *
 * @param into destination, at least as long as the samples; by default a new array
 * @returns `into`, or the part of it that was filled
 * @throws RangeError if `into` is too short
 * @example
 * console.log(int16ToFloat32(Int16Array.of(-32_768, 16_384))) // Float32Array [-1, 0.5]
 */
export function int16ToFloat32(
  samples: Int16Array,
  into: Float32Array = new Float32Array(samples.length),
): Float32Array {
  if (into.length < samples.length) throw new RangeError('The array to fill must be as long as the samples')
  for (let index = 0; index < samples.length; index++) into[index] = (samples[index] ?? 0) * (1 / 32_768)
  return into.length === samples.length ? into : into.subarray(0, samples.length)
}

/**
 * Converts floats to 16-bit samples: multiplies by 32,768, clamps, and rounds to nearest, halves to even; NaN becomes 0.
 *
 * @param into destination, at least as long as the samples; by default a new array
 * @returns `into`, or the part of it that was filled
 * @throws RangeError if `into` is too short
 * @example
 * console.log(float32ToInt16(Float32Array.of(-1, 0.5, 1))) // Int16Array [-32768, 16384, 32767]
 */
export function float32ToInt16(
  samples: Float32Array,
  into: Int16Array = new Int16Array(samples.length),
): Int16Array {
  if (into.length < samples.length) throw new RangeError('The array to fill must be as long as the samples')
  for (let index = 0; index < samples.length; index++) {
    const scaled = (samples[index] ?? 0) * 32_768
    const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
    into[index] = clamped + ROUNDER - ROUNDER
  }
  return into.length === samples.length ? into : into.subarray(0, samples.length)
}
