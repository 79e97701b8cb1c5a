import { viewOf } from './quantize.ts'
import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

const f32 = (littleEndian: boolean): SampleFormat => ({
  name: littleEndian ? 'f32le' : 'f32be',
  bytesPerSample: 4,
  toInt16(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) {
      const scaled = view.getFloat32(index * 4, littleEndian) * 32_768
      const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
      into[index] = clamped + ROUNDER - ROUNDER
    }
  },
  toFloats(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) into[index] = view.getFloat32(index * 4, littleEndian)
  },
  fromInt16(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setFloat32(index * 4, (samples[index] ?? 0) * (1 / 32_768), littleEndian)
  },
  fromFloats(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setFloat32(index * 4, samples[index] ?? 0, littleEndian)
  },
})

const f64 = (littleEndian: boolean): SampleFormat => ({
  name: littleEndian ? 'f64le' : 'f64be',
  bytesPerSample: 8,
  toInt16(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) {
      const scaled = view.getFloat64(index * 8, littleEndian) * 32_768
      const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
      into[index] = clamped + ROUNDER - ROUNDER
    }
  },
  toFloats(bytes, into) {
    const view = viewOf(bytes)
    for (let index = 0; index < into.length; index++) into[index] = view.getFloat64(index * 8, littleEndian)
  },
  fromInt16(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setFloat64(index * 8, (samples[index] ?? 0) * (1 / 32_768), littleEndian)
  },
  fromFloats(samples, into) {
    const view = viewOf(into)
    for (let index = 0; index < samples.length; index++)
      view.setFloat64(index * 8, samples[index] ?? 0, littleEndian)
  },
})

/** IEEE 754 floats of 32 bits, little-endian, as in WAV files. Floats beyond full scale are kept. */
export const f32le: SampleFormat = /* @__PURE__ */ f32(true)
/** IEEE 754 floats of 32 bits, big-endian. */
export const f32be: SampleFormat = /* @__PURE__ */ f32(false)
/** IEEE 754 floats of 64 bits, little-endian. */
export const f64le: SampleFormat = /* @__PURE__ */ f64(true)
/** IEEE 754 floats of 64 bits, big-endian. */
export const f64be: SampleFormat = /* @__PURE__ */ f64(false)
