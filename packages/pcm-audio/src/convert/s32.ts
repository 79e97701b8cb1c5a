import { viewOf } from './quantize.ts'
import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

const s32 = (littleEndian: boolean): SampleFormat => ({
  name: littleEndian ? 's32le' : 's32be',
  bytesPerSample: 4,
  toInt16(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) {
      const scaled = view.getInt32(index * 4, littleEndian) * (1 / 65_536)
      const clamped = scaled > 32_767 ? 32_767 : scaled
      into[index] = clamped + ROUNDER - ROUNDER
    }
  },
  toFloats(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++)
      into[index] = view.getInt32(index * 4, littleEndian) * (1 / 2_147_483_648)
  },
  fromInt16(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setInt32(index * 4, (samples[index] ?? 0) << 16, littleEndian)
  },
  fromFloats(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++) {
      const scaled = (samples[index] ?? 0) * 2_147_483_648
      const clamped =
        scaled > 2_147_483_647 ? 2_147_483_647 : scaled < -2_147_483_648 ? -2_147_483_648 : scaled
      view.setInt32(index * 4, clamped + ROUNDER - ROUNDER, littleEndian)
    }
  },
})

/** Signed 32 bits, little-endian. Exact in `Float64Array`; `Float32Array` keeps its 24 highest bits. */
export const s32le: SampleFormat = /* @__PURE__ */ s32(true)
/** Signed 32 bits, big-endian. */
export const s32be: SampleFormat = /* @__PURE__ */ s32(false)
