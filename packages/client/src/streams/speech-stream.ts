import { TruncatedStreamError } from '../errors.ts'
import type { StreamDescriptor } from '../generated/types.ts'
import type { Received } from '../transport/attempt.ts'
import { readDescriptor } from './descriptor.ts'
import { createItemStream, type ItemStream } from './item-stream.ts'
import { readChunks } from '../transport/read-chunks.ts'
import { encodeWav } from './wav.ts'

/** Samples per frame: 20 ms at 16 kHz. */
export const SAMPLES_PER_FRAME = 320

/** Destination for frames, for example your own player. Each write is awaited before the next. */
export interface FrameSink {
  write(frame: Int16Array<ArrayBuffer>): unknown
  close?(): unknown
  abort?(reason: unknown): unknown
}

/** A player that pulls frames itself, for example the player of `@vaani/pcm-audio`. */
export interface FramePlayer {
  pipeFrom(frames: AsyncIterable<Int16Array<ArrayBuffer>>): Promise<void>
}

/** Speech in frames of 20 ms: 320 samples, 16 kHz, mono. */
export interface SpeechStream extends ItemStream<Int16Array<ArrayBuffer>> {
  readonly descriptor: StreamDescriptor
  /** Reads the whole stream as a WAV file. */
  toWav(): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Writes every frame, then closes the sink; if the stream fails, aborts the sink and rejects with the stream's error. With a player,
   * resolves when everything has been played.
   *
   * @example
   * const player = await createPlayer({ sampleRateHz: 16_000 })
   * const stream = await vaani.speech.stream({ input: 'नमस्ते', language: 'ne-NP' })
   * await stream.pipeTo(player)
   */
  pipeTo(target: FramePlayer | FrameSink | WritableStream<Int16Array<ArrayBuffer>>): Promise<void>
}

export function readSpeech(received: Received): SpeechStream {
  const frames = (): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> => readFrames(received)
  const stream = createItemStream(received, frames)
  return {
    ...stream,
    descriptor: readDescriptor<StreamDescriptor>(received, 'x-stream-descriptor'),
    toWav: async () => encodeWav(await Array.fromAsync(frames())),
    pipeTo: (target) =>
      'pipeFrom' in target
        ? target.pipeFrom(frames())
        : stream.toReadableStream().pipeTo('getWriter' in target ? target : writableOf(target)),
  }
}

const writableOf = (sink: FrameSink): WritableStream<Int16Array<ArrayBuffer>> =>
  new WritableStream({
    write: async (frame) => void (await sink.write(frame)),
    close: async () => void (await sink.close?.()),
    abort: async (reason) => {
      try {
        await sink.abort?.(reason)
      } catch {
        // The caller gets the stream's error, which came first.
      }
    },
  })

/** Reads frames whatever the chunk boundaries. The server pads its last frame with silence, so an incomplete one was cut off. */
async function* readFrames(received: Received): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined> {
  let frame = new Int16Array(SAMPLES_PER_FRAME)
  let filled = 0
  for await (const chunk of readChunks(received))
    for (let at = 0; at < chunk.length;) {
      const bytes = new Uint8Array(frame.buffer)
      const part = chunk.subarray(at, at + bytes.length - filled)
      bytes.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < bytes.length) continue
      yield frame
      frame = new Int16Array(SAMPLES_PER_FRAME)
      filled = 0
    }
  if (filled > 0) throw new TruncatedStreamError(received.context)
}
