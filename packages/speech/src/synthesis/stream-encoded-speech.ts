import { pcm16Bytes, wavHeader } from '@vaani/pcm-audio'
import { streamSpeech, type StreamSpeechOptions } from '../stream/stream-speech.ts'
import {
  ENCODED_STREAM_SAMPLE_RATE_HZ,
  type EncodedStreamFormat,
  type SynthesisModel,
} from '../stream/models.ts'
import type { RemoteStream } from './remote-file.ts'
import type { RenderPool } from './render-pool.ts'

/** Frames that are encoded together: 200 ms. The first frame is encoded alone, to be heard at once. */
const FRAMES_PER_PIECE = 10

export interface StreamEncodedSpeechOptions extends Omit<StreamSpeechOptions, 'model' | 'sampleRateHz'> {
  renderers: RenderPool
  /** Sets the bit rate of MP3, Opus and AAC. */
  model: SynthesisModel
  format: EncodedStreamFormat
}

/**
 * Speaks a text to 24 kHz audio that is encoded while it is spoken, so that a player can begin at once. The level is that of
 * the engine, because levelling needs the whole text; MP3, Opus and AAC do not exceed -1 dBTP. FLAC and WAV have the samples of
 * `pcm`, and lengths in their headers are unknown (0, or 0xFFFFFFFF in WAV). A slow reader occupies no engine, as with `streamSpeech`. The same options give the same bytes.
 *
 * @returns after the last bytes, how long the speech is
 * @throws SpeechError on the first or a later iteration
 * @example
 * const words = { text: 'Namaste', voice: 'nova', language: 'ne-NP', emotion: 'warm', speed: 1 } as const
 * for await (const bytes of streamEncodedSpeech({ engine, renderers, ...words, model: 'synth-v1', format: 'opus' }))
 *   response.write(bytes)
 */
export async function* streamEncodedSpeech({
  renderers,
  model,
  format,
  ...speech
}: StreamEncodedSpeechOptions): AsyncGenerator<Uint8Array, { durationSeconds: number }, undefined> {
  const frames = streamSpeech({ ...speech, sampleRateHz: ENCODED_STREAM_SAMPLE_RATE_HZ })
  const encoder = await openEncoder(renderers, { format, model, tenant: speech.tenant })
  // A reader that has left does not continue this generator, so its encoder would stay open.
  const onAbort = () => encoder.close()
  speech.signal?.addEventListener('abort', onAbort, { once: true })
  let samples = 0
  try {
    for await (const piece of gather(frames)) {
      samples += piece.length
      const bytes = await encoder.render(piece)
      if (bytes.length > 0) yield bytes
    }
    const rest = await encoder.finish()
    if (rest.length > 0) yield rest
    return { durationSeconds: samples / ENCODED_STREAM_SAMPLE_RATE_HZ }
  } finally {
    speech.signal?.removeEventListener('abort', onAbort)
    encoder.close()
  }
}

async function openEncoder(
  renderers: RenderPool,
  {
    format,
    ...settings
  }: { format: EncodedStreamFormat; model: SynthesisModel; tenant?: string | undefined },
): Promise<RemoteStream> {
  switch (format) {
    case 'mp3':
    case 'opus':
    case 'aac':
    case 'flac':
      return renderers.openStream({ format, ...settings })
    case 'wav':
      return plainEncoder(wavHeader({ sampleRateHz: ENCODED_STREAM_SAMPLE_RATE_HZ }))
    case 'pcm':
      return plainEncoder(new Uint8Array(0))
  }
}

/** Needs no thread: the samples are the audio. */
function plainEncoder(header: Uint8Array): RemoteStream {
  let start = header
  return {
    async render(samples) {
      const bytes = Buffer.concat([start, pcm16Bytes(samples)])
      start = new Uint8Array(0)
      return bytes
    },
    finish: async () => start,
    close: () => undefined,
  }
}

/** Joins frames to pieces. */
async function* gather(
  frames: AsyncIterable<Int16Array>,
): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> {
  let waiting: Int16Array[] = []
  let wanted = 1
  const take = () => {
    const piece = new Int16Array(waiting.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const frame of waiting) {
      piece.set(frame, at)
      at += frame.length
    }
    waiting = []
    wanted = FRAMES_PER_PIECE
    return piece
  }
  for await (const frame of frames) {
    waiting.push(frame)
    if (waiting.length >= wanted) yield take()
  }
  if (waiting.length > 0) yield take()
}
