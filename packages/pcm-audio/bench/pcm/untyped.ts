/** Libraries whose types or modules do not work here, with types for the part that the benchmarks use. */
import { createRequire } from 'node:module'

interface Law {
  encode(samples: Int16Array): Uint8Array
  decode(codes: Uint8Array): Int16Array
}
interface WaveFile {
  fromScratch(channels: number, rateHz: number, bits: string, samples: ArrayLike<number>): void
  toBitDepth(bits: string): void
  toMuLaw(): void
  fromMuLaw(): void
  toALaw(): void
  fromALaw(): void
}
interface SpeexResampler {
  processChunk(chunk: Buffer): Buffer
}
interface LibSampleRate {
  create(
    channels: number,
    fromHz: number,
    toHz: number,
    options: { converterType: number },
  ): Promise<{ full(samples: Float32Array): Float32Array }>
  ConverterType: {
    SRC_SINC_FASTEST: number
    SRC_SINC_MEDIUM_QUALITY: number
    SRC_SINC_BEST_QUALITY: number
  }
}
interface SpeexModule {
  default: {
    new (channels: number, fromHz: number, toHz: number, quality: number): SpeexResampler
    initPromise: Promise<void>
  }
}

const require = createRequire(import.meta.url)
export const alawmulaw: { mulaw: Law; alaw: Law } = require('alawmulaw')
export const wavefile: { WaveFile: new () => WaveFile } = require('wavefile')
export const libsamplerate: LibSampleRate = require('@alexanderolsen/libsamplerate-js')
const speexModule: SpeexModule = require('speex-resampler')
export const Speex = speexModule.default
