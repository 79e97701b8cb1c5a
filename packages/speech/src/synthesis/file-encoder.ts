import { encodePcm, s16le, wavHeader } from '@vaani/pcm-audio'
import { createMp3Encoder, createOggEncoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import {
  type ENCODED_STREAM_SAMPLE_RATE_HZ,
  type FileFormat,
  type FileSampleRateHz,
  type Mp3Kbps,
  SYNTHESIS_MODEL_PROFILES,
  type SynthesisModel,
} from '../stream/models.ts'

declare global {
  namespace WebAssembly {
    /** The one type of WebAssembly that the types of the encoders name. Programs without those of the DOM have none. */
    interface Module {}
  }
}

export const FILE_MEDIA_TYPES = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
} as const satisfies Record<FileFormat, string>

interface Mp3Options {
  sampleRateHz: FileSampleRateHz | typeof ENCODED_STREAM_SAMPLE_RATE_HZ
  kbps: Mp3Kbps
}

export interface FileEncoderOptions {
  format: FileFormat
  sampleRateHz: FileSampleRateHz
  model: SynthesisModel
  /** Samples that will be pushed in all. */
  samples: number
}

/** Encodes one file while its samples arrive. */
export interface FileEncoder {
  /** Takes samples from -1 to 1 and returns the bytes that are ready, in a buffer of their own. */
  push(samples: Float32Array): Uint8Array<ArrayBuffer>
  /** Returns the rest of the file. */
  finish(): Uint8Array<ArrayBuffer>
  /** Makes the encoder's memory available to the next file. */
  release(): void
}

/** Bytes of a whole file; undefined if only its encoding shows them. */
export function fileBytes({
  format,
  samples,
  sampleRateHz,
}: Omit<FileEncoderOptions, 'model'>): number | undefined {
  if (format !== 'wav') return undefined
  const dataBytes = samples * s16le.bytesPerSample
  return wavHeader({ sampleRateHz, dataBytes }).length + dataBytes
}

export const createFileEncoder = (options: FileEncoderOptions): Promise<FileEncoder> =>
  ENCODERS[options.format](options)

const ENCODERS: Readonly<Record<FileFormat, (options: FileEncoderOptions) => Promise<FileEncoder>>> = {
  async wav({ samples: count, sampleRateHz }) {
    let header = wavHeader({ sampleRateHz, dataBytes: count * s16le.bytesPerSample })
    return {
      push(samples) {
        const bytes = new Uint8Array(header.length + samples.length * s16le.bytesPerSample)
        bytes.set(header)
        encodePcm(samples, s16le, bytes.subarray(header.length))
        header = new Uint8Array(0)
        return bytes
      },
      finish: () => header,
      release: () => undefined,
    }
  },
  mp3: ({ model, sampleRateHz }) =>
    createMp3Writer({ sampleRateHz, kbps: SYNTHESIS_MODEL_PROFILES[model].mp3Kbps[sampleRateHz] }),
  async ogg({ model, sampleRateHz }) {
    const encoder = await oggEncoders.take()
    const { oggQuality: vbrQuality } = SYNTHESIS_MODEL_PROFILES[model]
    // A random serial number, the default, would make each file of the same speech a different one.
    encoder.configure({ channels: 1, sampleRate: sampleRateHz, vbrQuality, oggSerialNo: 1 })
    return { ...lossy(encoder), release: () => oggEncoders.give(encoder) }
  },
}

export async function createMp3Writer({ sampleRateHz, kbps }: Mp3Options): Promise<FileEncoder> {
  const encoder = await mp3Encoders.take()
  // LAME would otherwise lower the sample rate to suit a low bit rate.
  const rates = { sampleRate: sampleRateHz, outputSampleRate: sampleRateHz }
  encoder.configure({ channels: 1, ...rates, bitrate: kbps })
  return { ...lossy(encoder), release: () => mp3Encoders.give(encoder) }
}

const lossy = (encoder: Pick<WasmMediaEncoder<'audio/mpeg'>, 'encode' | 'finalize'>) => ({
  // The encoder owns the buffers that it returns, and reuses them.
  push: (samples: Float32Array) => new Uint8Array(encoder.encode([samples])),
  finish: () => new Uint8Array(encoder.finalize()),
})

/** Free instances to keep: each has some megabytes of memory, which it never gives back. */
const MAX_FREE = 4

/** Keeps instances of an encoder for the next file, because loading one takes longer than encoding a sentence. */
function keepEncoders<Encoder>(create: () => Promise<Encoder>) {
  const free: Encoder[] = []
  return {
    take: async (): Promise<Encoder> => free.pop() ?? (await create()),
    give(encoder: Encoder): void {
      if (free.length < MAX_FREE) free.push(encoder)
    },
  }
}

const mp3Encoders = keepEncoders(createMp3Encoder)
const oggEncoders = keepEncoders(createOggEncoder)
