import type { SampleFormat, Samples } from './sample-format.ts'

/** How many whole samples the bytes hold. */
function countSamples(bytes: Uint8Array, { bytesPerSample, name }: SampleFormat): number {
  const left = bytes.length % bytesPerSample
  if (left > 0)
    throw new RangeError(
      `${name} has ${bytesPerSample} bytes a sample: ${left} bytes are left over at the end`,
    )
  return bytes.length / bytesPerSample
}

/** The part of `into` that will be filled, or a new array. */
function room<Part extends { length: number; subarray(start: number, end: number): Part }>(
  count: number,
  into: Part | undefined,
  create: (count: number) => Part,
): Part {
  if (into === undefined) return create(count)
  if (into.length < count) throw new RangeError(`The array to fill must have room for ${count} elements`)
  return into.length === count ? into : into.subarray(0, count)
}

/**
 * The samples in bytes, as 16-bit numbers. Formats of more bits are rounded to the nearest, halves to even, and clamped.
 *
 * @param bytes whole samples, at any offset of any buffer; for chunks that may end within one see `createPcmDecoder`
 * @param into where the samples go, with room for all; a new array without it
 * @returns `into`, or the part of it that was filled
 * @throws RangeError where bytes are left over, or `into` is too short
 * @example
 * console.log(decodeInt16(Uint8Array.of(0xff, 0x7f, 0x80), mulaw)) // Int16Array [0, 0, 32124]
 */
export function decodeInt16(bytes: Uint8Array, format: SampleFormat, into?: Int16Array): Int16Array {
  const samples = room<Int16Array>(countSamples(bytes, format), into, (count) => new Int16Array(count))
  format.toInt16(bytes, samples)
  return samples
}

/** The same as floats; exact for every format but `s32` and `f64`, which `decodeFloat64` keeps. */
export function decodeFloat32(bytes: Uint8Array, format: SampleFormat, into?: Float32Array): Float32Array {
  const samples = room<Float32Array>(countSamples(bytes, format), into, (count) => new Float32Array(count))
  format.toFloats(bytes, samples)
  return samples
}

/** The same as doubles; exact for every format. */
export function decodeFloat64(bytes: Uint8Array, format: SampleFormat, into?: Float64Array): Float64Array {
  const samples = room<Float64Array>(countSamples(bytes, format), into, (count) => new Float64Array(count))
  format.toFloats(bytes, samples)
  return samples
}

/**
 * Samples as bytes. To fewer bits is to the nearest, halves to even, clamped; for dither see `createDither`.
 *
 * @param into where the bytes go, with room for all; a new array without it
 * @returns `into`, or the part of it that was filled
 * @throws RangeError where `into` is too short
 * @example
 * console.log(encodePcm(Int16Array.of(1, -2), s24be)) // Uint8Array [0, 1, 0, 255, 254, 0]
 */
export function encodePcm(samples: Samples, format: SampleFormat, into?: Uint8Array): Uint8Array {
  const bytes = room<Uint8Array>(
    samples.length * format.bytesPerSample,
    into,
    (count) => new Uint8Array(count),
  )
  if (samples instanceof Int16Array) format.fromInt16(samples, bytes)
  else format.fromFloats(samples, bytes)
  return bytes
}

/** Samples converted at a time: small enough to stay in the first cache. */
const BLOCK_SAMPLES = 1024

/**
 * Bytes of one format as bytes of another. By way of doubles, so that nothing is lost that the target could hold.
 *
 * @param into where the bytes go, with room for all; a new array without it
 * @returns `into`, or the part of it that was filled
 * @throws RangeError where bytes are left over, or `into` is too short
 * @example
 * console.log(convertPcm(Uint8Array.of(0x80, 0xff), { from: u8, to: s16le })) // Uint8Array [0, 0, 0, 127]
 */
export function convertPcm(
  bytes: Uint8Array,
  formats: { from: SampleFormat; to: SampleFormat },
  into?: Uint8Array,
): Uint8Array {
  const { from, to } = formats
  const count = countSamples(bytes, from)
  const target = room<Uint8Array>(count * to.bytesPerSample, into, (length) => new Uint8Array(length))
  if (from.name === to.name) {
    target.set(bytes)
    return target
  }
  const block = new Float64Array(Math.min(count, BLOCK_SAMPLES))
  for (let start = 0; start < count; start += BLOCK_SAMPLES) {
    const part = block.subarray(0, count - start)
    from.toFloats(bytes.subarray(start * from.bytesPerSample), part)
    to.fromFloats(part, target.subarray(start * to.bytesPerSample))
  }
  return target
}
