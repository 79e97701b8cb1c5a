import type { SampleFormat, Samples } from './sample-format.ts'

/** @returns the number of samples in the bytes, which must be whole */
function countSamples(bytes: Uint8Array, { bytesPerSample, name }: SampleFormat): number {
  const left = bytes.length % bytesPerSample
  if (left > 0)
    throw new RangeError(
      `${name} has ${bytesPerSample} bytes per sample; bytes left over at the end: ${left}`,
    )
  return bytes.length / bytesPerSample
}

/** Returns the part of `into` to fill, or a new array. */
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
 * Decodes bytes to 16-bit samples. Formats with more bits are rounded to nearest, halves to even, and clamped.
 *
 * @param bytes whole samples, at any offset of any buffer; for chunks that may end within a sample see `createPcmDecoder`
 * @param into destination with room for all samples; by default a new array
 * @returns `into`, or the part of it that was filled
 * @throws RangeError if bytes are left over, or `into` is too short
 * @example
 * console.log(decodeInt16(Uint8Array.of(0xff, 0x7f, 0x80), mulaw)) // Int16Array [0, 0, 32124]
 */
export function decodeInt16(bytes: Uint8Array, format: SampleFormat, into?: Int16Array): Int16Array {
  const samples = room<Int16Array>(countSamples(bytes, format), into, (count) => new Int16Array(count))
  format.toInt16(bytes, samples)
  return samples
}

/** Decodes bytes to floats, exactly for every format except `s32` and `f64`; use `decodeFloat64` for these. */
export function decodeFloat32(bytes: Uint8Array, format: SampleFormat, into?: Float32Array): Float32Array {
  const samples = room<Float32Array>(countSamples(bytes, format), into, (count) => new Float32Array(count))
  format.toFloats(bytes, samples)
  return samples
}

/** Decodes bytes to doubles, exactly for every format. */
export function decodeFloat64(bytes: Uint8Array, format: SampleFormat, into?: Float64Array): Float64Array {
  const samples = room<Float64Array>(countSamples(bytes, format), into, (count) => new Float64Array(count))
  format.toFloats(bytes, samples)
  return samples
}

/**
 * Encodes samples to bytes. To fewer bits, it rounds to nearest, halves to even, and clamps; for dither see `createDither`.
 *
 * @param into destination with room for all bytes; by default a new array
 * @returns `into`, or the part of it that was filled
 * @throws RangeError if `into` is too short
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

/** Samples converted at a time: few enough to stay in the L1 cache. */
const BLOCK_SAMPLES = 1024

/**
 * Converts bytes of one format to another, through doubles, so that it loses no precision that the target format has.
 *
 * @param into destination with room for all bytes; by default a new array
 * @returns `into`, or the part of it that was filled
 * @throws RangeError if bytes are left over, or `into` is too short
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
