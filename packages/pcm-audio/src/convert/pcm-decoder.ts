import { decodeFloat32, decodeInt16 } from './convert.ts'
import type { SampleFormat } from './sample-format.ts'

/** Decodes chunks of bytes that may end within a sample. */
export interface PcmDecoder<Output extends Int16Array | Float32Array> {
  /** Takes any number of bytes and returns the completed samples in a new array. */
  push(bytes: Uint8Array): Output
  /** Bytes of an incomplete frame. If not 0 after the last chunk, the stream was truncated. */
  readonly carriedBytes: number
}

function createDecoder<Output extends Int16Array | Float32Array>(
  unitBytes: number,
  decode: (bytes: Uint8Array) => Output,
): PcmDecoder<Output> {
  // The start of an incomplete frame.
  const carry = new Uint8Array(unitBytes)
  let carried = 0
  return {
    get carriedBytes() {
      return carried
    },
    push(bytes) {
      const whole = carried + bytes.length - ((carried + bytes.length) % unitBytes)
      if (whole === 0) {
        carry.set(bytes, carried)
        carried += bytes.length
        return decode(bytes.subarray(0, 0))
      }
      let joined = bytes.subarray(0, whole)
      if (carried > 0) {
        joined = new Uint8Array(whole)
        joined.set(carry.subarray(0, carried))
        joined.set(bytes.subarray(0, whole - carried), carried)
      }
      const rest = bytes.subarray(whole - carried)
      carry.set(rest)
      carried = rest.length
      return decode(joined)
    },
  }
}

/**
 * Creates a decoder for bytes that arrive in chunks of any length, as from a socket or a response.
 *
 * @param channels samples per frame; only whole frames are returned
 * @example
 * const decoder = createPcmDecoder(s16le)
 * console.log(decoder.push(Uint8Array.of(1, 0, 2)), decoder.push(Uint8Array.of(0))) // Int16Array [1], Int16Array [2]
 */
export function createPcmDecoder(format: SampleFormat, channels = 1): PcmDecoder<Int16Array> {
  return createDecoder(format.bytesPerSample * channels, (bytes) => decodeInt16(bytes, format))
}

/** Creates a decoder like `createPcmDecoder` that returns floats. */
export function createFloatPcmDecoder(format: SampleFormat, channels = 1): PcmDecoder<Float32Array> {
  return createDecoder(format.bytesPerSample * channels, (bytes) => decodeFloat32(bytes, format))
}
