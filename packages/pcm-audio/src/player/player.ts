import { int16ToFloat32 } from '../convert/int16-float32.ts'
import { createPcmDecoder, type PcmDecoder } from '../convert/pcm-decoder.ts'
import { s16le } from '../convert/s16.ts'
import { createResampler } from '../resample/resample.ts'
import { perChannel, type MonoPart } from '../stream/per-channel.ts'
import { toAsyncIterable } from '../stream/pipe.ts'
import { loadWorklet } from '../worklet/load-worklet.ts'
import { PLAYER_PROCESSOR_NAME, registerPlayer, type ToWorklet, type WorkletReport } from './worklet.ts'

export interface PlayerOptions {
  /** Sample rate of the fed audio. */
  sampleRateHz: number
  /** 1 by default. Audio of two channels is interleaved. */
  channels?: 1 | 2
  /**
   * Context to play in. Default: a new context at that rate, which `close` closes. Audio is resampled to the rate of the
   * context.
   */
  context?: AudioContext
  /** Audio to buffer before playback starts, and again after an underrun. Default: 80. */
  prebufferMs?: number
  /** `pipeFrom` waits while this much audio is buffered. Default: 5000. */
  maxBufferedMs?: number
  /**
   * URL of `@vaani/pcm-audio/player-worklet.js`, for pages whose content security policy has no `blob:` in its
   * `script-src`. Default: a blob.
   */
  workletUrl?: string | URL
}

/** A chunk of audio: whole frames of samples, or little-endian bytes, which may end anywhere. */
export type PlayerChunk = Int16Array | Uint8Array

export interface Player {
  /** Output node, connected to the context's destination. */
  readonly node: AudioNode
  /**
   * Queues audio.
   *
   * @throws RangeError if samples are not whole frames
   */
  feed(chunk: PlayerChunk): void
  /** Ends the audio: the rest is played even if it is shorter than the prebuffer. */
  end(): void
  /** Stops within 5 ms and drops all unplayed audio, for barge-in. The player can be fed again at once. */
  flush(): void
  /**
   * Feeds a stream to its end, at most `maxBufferedMs` ahead, and resolves once all of it is played. Aborting the signal
   * flushes. @throws the error of the stream, or the signal's reason
   */
  pipeFrom(
    stream: ReadableStream<PlayerChunk> | AsyncIterable<PlayerChunk>,
    options?: { signal?: AbortSignal },
  ): Promise<void>
  /** Resolves once all audio is played or flushed. Audio shorter than the prebuffer is played only after `end`. */
  drained(): Promise<void>
  /** Duration of audio played so far; lags by about 50 ms. */
  readonly playedMs: number
  /** Duration of audio waiting to be played. */
  readonly bufferedMs: number
  /** Number of times the audio ran out before `end`. */
  readonly underruns: number
  close(): Promise<void>
}

const FADE_MS = 5

/**
 * Creates a player of streams for browsers. Browsers allow sound only after a user gesture, so create the player or call
 * `context.resume()` in a click handler.
 *
 * @throws the browser's error if the worklet cannot be loaded
 * @example
 * const player = await createPlayer({ sampleRateHz: 16_000 })
 * const response = await fetch('/v1/audio/stream', request)
 * await player.pipeFrom(response.body)
 */
export async function createPlayer(options: PlayerOptions): Promise<Player> {
  const { sampleRateHz, channels = 1, prebufferMs = 80, maxBufferedMs = 5000 } = options
  if (!(prebufferMs >= 0 && maxBufferedMs > prebufferMs))
    throw new RangeError('maxBufferedMs must be more than prebufferMs, and prebufferMs 0 or more')
  const context = options.context ?? new AudioContext({ sampleRate: sampleRateHz })
  await loadWorklet(context, {
    name: PLAYER_PROCESSOR_NAME,
    register: registerPlayer,
    url: options.workletUrl,
  })
  return createNodePlayer(context, { ...options, channels, prebufferMs, maxBufferedMs })
}

interface NodePlayerOptions extends PlayerOptions {
  channels: 1 | 2
  prebufferMs: number
  maxBufferedMs: number
}

function openNode(context: AudioContext, { channels, prebufferMs }: NodePlayerOptions): AudioWorkletNode {
  const { sampleRate } = context
  const node = new AudioWorkletNode(context, PLAYER_PROCESSOR_NAME, {
    numberOfInputs: 0,
    outputChannelCount: [channels],
    processorOptions: {
      prebufferFrames: Math.round((prebufferMs * sampleRate) / 1000),
      fadeFrames: Math.max(1, Math.round((FADE_MS * sampleRate) / 1000)),
      channels,
    },
  })
  node.connect(context.destination)
  return node
}

const createNodePlayer = (context: AudioContext, options: NodePlayerOptions): Player =>
  new NodePlayer(context, options)

class NodePlayer implements Player {
  readonly #context: AudioContext
  readonly #options: NodePlayerOptions
  readonly #channels: 1 | 2
  readonly #maxBufferedMs: number
  readonly #contextRateHz: number
  readonly node: AudioWorkletNode
  readonly #resampler: MonoPart<Int16Array> | null
  #decoder: PcmDecoder<Int16Array>
  #report: WorkletReport = {
    takenFrames: 0,
    playedFrames: 0,
    bufferedFrames: 0,
    flushes: 0,
    underruns: 0,
    isDrained: true,
  }
  /** Counted here, because the reports of the worklet lag behind. */
  #fedFrames = 0
  #fedBeforeFlush = 0
  #flushes = 0
  readonly #waiting = new Set<() => void>()

  constructor(context: AudioContext, options: NodePlayerOptions) {
    this.#context = context
    this.#options = options
    const { sampleRateHz, channels, maxBufferedMs } = options
    this.#channels = channels
    this.#maxBufferedMs = maxBufferedMs
    const { sampleRate: contextRateHz } = context
    this.#contextRateHz = contextRateHz
    this.node = openNode(context, options)
    this.#resampler =
      contextRateHz === sampleRateHz
        ? null
        : perChannel<Int16Array>(channels, () =>
            createResampler({ fromHz: sampleRateHz, toHz: contextRateHz }),
          )
    this.#decoder = createPcmDecoder(s16le, channels)
    this.node.port.addEventListener('message', ({ data }: MessageEvent<WorkletReport>) => {
      this.#report = data
      this.#checkWaiting()
    })
    this.node.port.start()
  }

  feed(chunk: PlayerChunk): void {
    const samples = chunk instanceof Int16Array ? chunk : this.#decoder.push(chunk)
    if (samples.length % this.#channels !== 0)
      throw new RangeError('Samples must be whole frames of all channels')
    this.#play(this.#resampler ? this.#resampler.push(samples) : samples)
  }

  end(): void {
    if (this.#resampler) this.#play(this.#resampler.flush())
    this.#decoder = createPcmDecoder(s16le, this.#channels)
    this.#send({ type: 'end' })
  }

  flush(): void {
    this.#decoder = createPcmDecoder(s16le, this.#channels)
    this.#resampler?.flush()
    this.#fedBeforeFlush = this.#fedFrames
    this.#flushes++
    this.#send({ type: 'flush' })
    this.#checkWaiting()
  }

  async pipeFrom(
    stream: ReadableStream<PlayerChunk> | AsyncIterable<PlayerChunk>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<void> {
    const onAbort = () => this.flush()
    signal?.addEventListener('abort', onAbort)
    try {
      for await (const chunk of toAsyncIterable(stream)) {
        signal?.throwIfAborted()
        this.feed(chunk)
        await this.#until(() => this.#toMs(this.#bufferedFrames()) < this.#maxBufferedMs, signal)
      }
      this.end()
      await this.#until(() => this.#isDrained(), signal)
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  drained(): Promise<void> {
    return this.#until(() => this.#isDrained())
  }

  get playedMs() {
    return this.#toMs(this.#report.playedFrames)
  }

  get bufferedMs() {
    return this.#toMs(this.#bufferedFrames())
  }

  get underruns() {
    return this.#report.underruns
  }

  async close(): Promise<void> {
    this.flush()
    this.node.disconnect()
    this.node.port.close()
    if (this.#options.context === undefined) await this.#context.close()
  }

  #send(message: ToWorklet, transfer: Transferable[] = []): void {
    this.node.port.postMessage(message, transfer)
  }

  #checkWaiting(): void {
    for (const check of this.#waiting) check()
  }

  #bufferedFrames(): number {
    return this.#report.flushes < this.#flushes
      ? this.#fedFrames - this.#fedBeforeFlush
      : this.#report.bufferedFrames + this.#fedFrames - this.#report.takenFrames
  }

  #isDrained(): boolean {
    return this.#bufferedFrames() === 0 && this.#report.flushes === this.#flushes && this.#report.isDrained
  }

  #toMs(frames: number): number {
    return (frames * 1000) / this.#contextRateHz
  }

  #until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.#waiting.delete(check)
        signal?.removeEventListener('abort', abort)
        finish()
      }
      const check = () => {
        if (condition()) settle(resolve)
      }
      const abort = () => settle(() => reject(signal?.reason))
      this.#waiting.add(check)
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      else check()
    })
  }

  #play(samples: Int16Array): void {
    if (samples.length === 0) return
    const floats = new Float32Array(samples.length)
    int16ToFloat32(samples, floats)
    this.#fedFrames += floats.length / this.#channels
    this.#send({ type: 'samples', samples: floats }, [floats.buffer])
  }
}
