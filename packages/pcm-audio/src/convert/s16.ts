import { IS_LITTLE_ENDIAN } from './pcm16-bytes.ts'
import { viewOf } from './quantize.ts'
import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

const bytesOf = (samples: Int16Array) =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

const s16 = (littleEndian: boolean): SampleFormat => ({
  name: littleEndian ? 's16le' : 's16be',
  bytesPerSample: 2,
  toInt16(bytes, into) {
    if (littleEndian === IS_LITTLE_ENDIAN) return bytesOf(into).set(bytes.subarray(0, into.byteLength))
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) into[index] = view.getInt16(index * 2, littleEndian)
  },
  toFloats(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++)
      into[index] = view.getInt16(index * 2, littleEndian) * (1 / 32_768)
  },
  fromInt16(samples, into) {
    if (littleEndian === IS_LITTLE_ENDIAN) return into.set(bytesOf(samples))
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setInt16(index * 2, samples[index] ?? 0, littleEndian)
  },
  fromFloats(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++) {
      const scaled = (samples[index] ?? 0) * 32_768
      const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
      view.setInt16(index * 2, clamped + ROUNDER - ROUNDER, littleEndian)
    }
  },
})

/** Signed 16 bits, little-endian: the format that this package means by PCM without further detail. */
export const s16le: SampleFormat = /* @__PURE__ */ s16(true)
/** Signed 16 bits, big-endian: the `L16` of RTP (RFC 3551, 4.5.11), AIFF. */
export const s16be: SampleFormat = /* @__PURE__ */ s16(false)
