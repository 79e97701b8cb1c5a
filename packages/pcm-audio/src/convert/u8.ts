import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

/** Unsigned 8 bits with silence at 128, as in 8-bit WAV files. */
export const u8: SampleFormat = {
  name: 'u8',
  bytesPerSample: 1,
  toInt16(bytes, into) {
    for (let index = 0; index < into.length; index++) into[index] = ((bytes[index] ?? 0) - 128) << 8
  },
  toFloats(bytes, into) {
    for (let index = 0; index < into.length; index++) into[index] = ((bytes[index] ?? 0) - 128) * (1 / 128)
  },
  fromInt16(samples, into) {
    for (let index = 0; index < samples.length; index++) {
      const scaled = (samples[index] ?? 0) * (1 / 256)
      const clamped = scaled > 127 ? 127 : scaled
      into[index] = clamped + ROUNDER - ROUNDER + 128
    }
  },
  fromFloats(samples, into) {
    for (let index = 0; index < samples.length; index++) {
      const scaled = (samples[index] ?? 0) * 128
      const clamped = scaled > 127 ? 127 : scaled < -128 ? -128 : scaled
      into[index] = ((clamped + ROUNDER - ROUNDER) | 0) + 128
    }
  },
}
