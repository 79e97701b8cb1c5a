import {
  createFloatResampler,
  float32ToInt16,
  int16ToFloat32,
  pcm16Bytes,
  type ResamplerProfile,
} from '../../src/index.ts'
import { libsamplerate as library, Speex } from './untyped.ts'

/** Common interface of the compared resamplers: one stream of floats. */
export interface OtherResampler {
  push(samples: Float32Array): Float32Array
  /** Returns the remaining samples, or none if the library cannot flush. */
  flush(): Float32Array
}
export type CreateResampler = (fromHz: number, toHz: number) => Promise<OtherResampler>

const nothing = new Float32Array(0)

const ours =
  (profile: ResamplerProfile, kernel: 'auto' | 'plain'): CreateResampler =>
  async (fromHz, toHz) =>
    createFloatResampler({ fromHz, toHz, profile, kernel })

const libsamplerate =
  (converterType: number): CreateResampler =>
  async (fromHz, toHz) => {
    const resampler = await library.create(1, fromHz, toHz, { converterType })
    return { push: (samples) => resampler.full(samples), flush: () => nothing }
  }

const speex =
  (quality: number): CreateResampler =>
  async (fromHz, toHz) => {
    await Speex.initPromise
    const resampler = new Speex(1, fromHz, toHz, quality)
    return {
      push(samples) {
        const bytes = pcm16Bytes(float32ToInt16(samples))
        const given = resampler.processChunk(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        return int16ToFloat32(new Int16Array(Uint8Array.from(given).buffer))
      },
      flush: () => nothing,
    }
  }

/** The compared resamplers, with ours first. */
export const RESAMPLERS: Readonly<Record<string, CreateResampler>> = {
  ...Object.fromEntries(
    (['standard', 'strict', 'fast-aliasing'] satisfies ResamplerProfile[]).flatMap((profile) => [
      [`ours, ${profile}, plain`, ours(profile, 'plain')],
      [`ours, ${profile}, WASM`, ours(profile, 'auto')],
    ]),
  ),
  'libsamplerate-js FASTEST': libsamplerate(library.ConverterType.SRC_SINC_FASTEST),
  'libsamplerate-js MEDIUM': libsamplerate(library.ConverterType.SRC_SINC_MEDIUM_QUALITY),
  'libsamplerate-js BEST': libsamplerate(library.ConverterType.SRC_SINC_BEST_QUALITY),
  'speex-resampler 3, 16 bits': speex(3),
  'speex-resampler 7, 16 bits': speex(7),
  'speex-resampler 10, 16 bits': speex(10),
}
