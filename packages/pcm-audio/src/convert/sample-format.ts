/** Supported encodings of samples. `le` and `be` are the byte order. */
export type SampleFormatName =
  | 'u8'
  | 's16le'
  | 's16be'
  | 's24le'
  | 's24be'
  | 's32le'
  | 's32be'
  | 'f32le'
  | 'f32be'
  | 'f64le'
  | 'f64be'
  | 'mulaw'
  | 'alaw'

/** Samples as numbers: 16-bit integers, or floats with a full scale of [-1, 1). */
export type Samples = Int16Array | Float32Array | Float64Array

/**
 * Encoding of samples in bytes. Each format is a separate constant, so that a bundle contains only the formats it uses.
 *
 * Full scale of an N-bit integer is 2^(N-1): -1 is the most negative code, and 1 is clamped to the most positive.
 * Conversion to fewer bits rounds to nearest, halves to even, like IEEE 754 and `lrint`. NaN becomes silence.
 */
export interface SampleFormat {
  readonly name: SampleFormatName
  readonly bytesPerSample: 1 | 2 | 3 | 4 | 8
  /** Fills all of `into` from the start of `bytes`. */
  toInt16(bytes: Uint8Array, into: Int16Array): void
  /** Fills all of `into` from the start of `bytes`. */
  toFloats(bytes: Uint8Array, into: Float32Array | Float64Array): void
  /** Writes all samples to the start of `into`. */
  fromInt16(samples: Int16Array, into: Uint8Array): void
  /** Writes all samples to the start of `into`. */
  fromFloats(samples: Float32Array | Float64Array, into: Uint8Array): void
}
