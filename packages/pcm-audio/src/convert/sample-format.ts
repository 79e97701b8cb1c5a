/** The encodings that audio comes in. `le` and `be` name the order of bytes. */
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

/** Samples as numbers: whole ones of 16 bits, or floats of which [-1, 1) is full scale. */
export type Samples = Int16Array | Float32Array | Float64Array

/**
 * How samples lie in bytes. Each format is a constant of its own, so that a bundle holds only those that are named.
 *
 * Full scale of a whole number of N bits is 2^(N-1): -1 is the most negative code, 1 is clamped to the most positive. To
 * fewer bits is to the nearest code, halves to the even one, as IEEE 754 and `lrint` round. NaN becomes silence.
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
