/*
 * Rounding of 32-bit floats. Between 256 and 512 they lie 2^-15 apart, one step of 16 bits. So adding 384 rounds a sample to
 * a step, halves to even, and the low 16 bits of the sum are those of the rounded sample. V8 reads them back sooner than it
 * converts a double to an integer, and sooner still for four samples at a time.
 */
const ROUNDER = 1.5 * 2 ** 8
const MOST = 32_767 / 32_768
const sums = /* @__PURE__ */ new Float32Array(4)
const bits = /* @__PURE__ */ new Int32Array(sums.buffer)

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
  let index = 0
  for (const end = samples.length - 3; index < end; index += 4) {
    const a = samples[index] ?? 0
    const b = samples[index + 1] ?? 0
    const c = samples[index + 2] ?? 0
    const d = samples[index + 3] ?? 0
    sums[0] = (a >= -1 ? (a > MOST ? MOST : a) : a < -1 ? -1 : 0) + ROUNDER
    sums[1] = (b >= -1 ? (b > MOST ? MOST : b) : b < -1 ? -1 : 0) + ROUNDER
    sums[2] = (c >= -1 ? (c > MOST ? MOST : c) : c < -1 ? -1 : 0) + ROUNDER
    sums[3] = (d >= -1 ? (d > MOST ? MOST : d) : d < -1 ? -1 : 0) + ROUNDER
    into[index] = bits[0] ?? 0
    into[index + 1] = bits[1] ?? 0
    into[index + 2] = bits[2] ?? 0
    into[index + 3] = bits[3] ?? 0
  }
  for (; index < samples.length; index++) {
    const a = samples[index] ?? 0
    sums[0] = (a >= -1 ? (a > MOST ? MOST : a) : a < -1 ? -1 : 0) + ROUNDER
    into[index] = bits[0] ?? 0
  }
  return into.length === samples.length ? into : into.subarray(0, samples.length)
}
