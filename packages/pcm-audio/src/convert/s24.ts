import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

const s24 = (littleEndian: boolean): SampleFormat => {
  // Positions of the low and the high byte of the three.
  const low = littleEndian ? 0 : 2
  const high = 2 - low
  return {
    name: littleEndian ? 's24le' : 's24be',
    bytesPerSample: 3,
    toInt16(bytes, into) {
      for (let index = 0, at = 0; index < into.length; index++, at += 3) {
        const code =
          ((bytes[at + high] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + low] ?? 0) << 8)
        const scaled = code * (1 / 65_536)
        const clamped = scaled > 32_767 ? 32_767 : scaled
        into[index] = clamped + ROUNDER - ROUNDER
      }
    },
    toFloats(bytes, into) {
      for (let index = 0, at = 0; index < into.length; index++, at += 3) {
        const code =
          ((bytes[at + high] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + low] ?? 0) << 8)
        into[index] = code * (1 / 2_147_483_648)
      }
    },
    fromInt16(samples, into) {
      for (let index = 0, at = 0; index < samples.length; index++, at += 3) {
        const code = samples[index] ?? 0
        into[at + low] = 0
        into[at + 1] = code
        into[at + high] = code >> 8
      }
    },
    fromFloats(samples, into) {
      for (let index = 0, at = 0; index < samples.length; index++, at += 3) {
        const scaled = (samples[index] ?? 0) * 8_388_608
        const clamped = scaled > 8_388_607 ? 8_388_607 : scaled < -8_388_608 ? -8_388_608 : scaled
        const code = (clamped + ROUNDER - ROUNDER) | 0
        into[at + low] = code
        into[at + 1] = code >> 8
        into[at + high] = code >> 16
      }
    },
  }
}

/** Signed 24 bits in three bytes, little-endian, as in WAV files. */
export const s24le: SampleFormat = /* @__PURE__ */ s24(true)
/** Signed 24 bits in three bytes, big-endian: the `L24` of RTP (RFC 3190). */
export const s24be: SampleFormat = /* @__PURE__ */ s24(false)
