import { createFlacEncoder, encodePcm, int16ToFloat32, s16le } from '@vaani/pcm-audio'
import { createMp3Writer, type FileEncoder } from './file-encoder.ts'
import {
  ENCODED_STREAM_SAMPLE_RATE_HZ,
  ENCODER_GAIN_DB,
  SYNTHESIS_MODEL_PROFILES,
  type SynthesisModel,
  TRUE_PEAK_DBTP,
} from '../stream/models.ts'
import { createOggOpusWriter } from './ogg-opus.ts'
import type { FileRenderer } from './render-file.ts'
import { createTruePeakLimiter } from './true-peak-limiter.ts'

/** `aac` is encoded elsewhere: its samples are made to suit the encoder, as 16-bit little-endian. */
type LossyFormat = 'mp3' | 'opus' | 'aac'

export interface StreamRenderSettings {
  format: LossyFormat | 'flac'
  model: SynthesisModel
}

/** Renders speech in a single pass, while it is spoken, so its level stays that of the engine. */
export type StreamRenderer = Pick<FileRenderer, 'render' | 'finish' | 'close'>

/** A frame of speech, 20 ms, so that nothing of it waits for the next one. */
const FLAC_BLOCK_SAMPLES = ENCODED_STREAM_SAMPLE_RATE_HZ / 50

/** Creates a renderer of samples at `ENCODED_STREAM_SAMPLE_RATE_HZ`. */
export const createStreamRenderer = async ({
  format,
  model,
}: StreamRenderSettings): Promise<StreamRenderer> =>
  format === 'flac' ? createFlacRenderer() : createLossyRenderer({ format, model })

const PCM_WRITER: FileEncoder = {
  push(samples) {
    const bytes = new Uint8Array(samples.length * s16le.bytesPerSample)
    encodePcm(samples, s16le, bytes)
    return bytes
  },
  finish: () => new Uint8Array(0),
  release: () => undefined,
}

/** Keeps every sample, so it needs no limiter. */
function createFlacRenderer(): StreamRenderer {
  const encoder = createFlacEncoder({
    sampleRateHz: ENCODED_STREAM_SAMPLE_RATE_HZ,
    blockSamples: FLAC_BLOCK_SAMPLES,
  })
  return { render: encoder.push, finish: encoder.flush, close: () => undefined }
}

async function createLossyRenderer(settings: {
  format: LossyFormat
  model: SynthesisModel
}): Promise<StreamRenderer> {
  const { format, model } = settings
  const sampleRateHz = ENCODED_STREAM_SAMPLE_RATE_HZ
  const { streamKbps } = SYNTHESIS_MODEL_PROFILES[model]
  const lossDb = ENCODER_GAIN_DB[format]
  const limiter = createTruePeakLimiter({
    sampleRateHz,
    gainDb: -lossDb,
    ceilingDbtp: TRUE_PEAK_DBTP[format] - lossDb,
  })
  const create = {
    mp3: () => createMp3Writer({ sampleRateHz, kbps: streamKbps.mp3 }),
    opus: () => createOggOpusWriter({ sampleRateHz, kbps: streamKbps.opus }),
    aac: async () => PCM_WRITER,
  } satisfies Record<LossyFormat, () => Promise<FileEncoder>>
  let encoder: FileEncoder | undefined = await create[format]()
  const open = (): FileEncoder => {
    if (encoder === undefined) throw new Error('The stream is closed')
    return encoder
  }
  return {
    render: (samples) => open().push(limiter.push(int16ToFloat32(samples))),
    finish() {
      const head = open().push(limiter.flush())
      const tail = open().finish()
      const rest = new Uint8Array(head.length + tail.length)
      rest.set(head)
      rest.set(tail, head.length)
      return rest
    },
    close() {
      encoder?.release()
      encoder = undefined
    },
  }
}
