import { createResampler } from '../resample/resample.ts'
import { PROCESSOR_NAME, registerPlayer, type ToWorklet, type WorkletReport } from './worklet.ts'

export interface PlayerOptions {
  /** Sample rate of the fed audio. */
  sampleRateHz: number
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

/** A chunk of audio: samples, or little-endian bytes, which may end within a sample. */
export type PlayerChunk = Int16Array | Uint8Array

export interface Player {
  /** Output node, connected to the context's destination. */
  readonly node: AudioNode
  /** Queues mono audio. */
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
const SCALE = 1 / 32_768

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
  const { sampleRateHz, prebufferMs = 80, maxBufferedMs = 5000 } = options
  if (!(prebufferMs >= 0 && maxBufferedMs > prebufferMs))
    throw new RangeError('maxBufferedMs must be more than prebufferMs, and prebufferMs 0 or more')
  const context = options.context ?? new AudioContext({ sampleRate: sampleRateHz })
  await loadWorklet(context, options.workletUrl)
  const { sampleRate: contextRateHz } = context
  const node = new AudioWorkletNode(context, PROCESSOR_NAME, {
    numberOfInputs: 0,
    outputChannelCount: [1],
    processorOptions: {
      prebufferSamples: Math.round((prebufferMs * contextRateHz) / 1000),
      fadeSamples: Math.max(1, Math.round((FADE_MS * contextRateHz) / 1000)),
    },
  })
  node.connect(context.destination)

  const resampler =
    contextRateHz === sampleRateHz ? null : createResampler({ fromHz: sampleRateHz, toHz: contextRateHz })
  let report: WorkletReport = {
    takenSamples: 0,
    playedSamples: 0,
    bufferedSamples: 0,
    flushes: 0,
    underruns: 0,
    isDrained: true,
  }
  /** Counted here, because the reports of the worklet lag behind. */
  let fedSamples = 0
  let fedBeforeFlush = 0
  let flushes = 0
  /** First byte of a sample that was split between two chunks. */
  let carry: number | null = null
  const waiting = new Set<() => void>()

  const send = (message: ToWorklet, transfer: Transferable[] = []) => node.port.postMessage(message, transfer)
  const checkWaiting = () => {
    for (const check of waiting) check()
  }
  node.port.addEventListener('message', ({ data }: MessageEvent<WorkletReport>) => {
    report = data
    checkWaiting()
  })
  node.port.start()
  const bufferedSamples = () =>
    report.flushes < flushes
      ? fedSamples - fedBeforeFlush
      : report.bufferedSamples + fedSamples - report.takenSamples
  const isDrained = () => bufferedSamples() === 0 && report.flushes === flushes && report.isDrained
  const toMs = (samples: number) => (samples * 1000) / contextRateHz

  function until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        waiting.delete(check)
        signal?.removeEventListener('abort', abort)
        finish()
      }
      const check = () => {
        if (condition()) settle(resolve)
      }
      const abort = () => settle(() => reject(signal?.reason))
      waiting.add(check)
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      else check()
    })
  }

  function readSamples(chunk: PlayerChunk): Int16Array {
    if (chunk instanceof Int16Array) return chunk
    const count = (chunk.length + (carry === null ? 0 : 1)) >> 1
    const samples = new Int16Array(count)
    let at = 0
    for (let index = 0; index < count; index++) {
      const low: number = carry ?? chunk[at++] ?? 0
      carry = null
      samples[index] = low | ((chunk[at++] ?? 0) << 8)
    }
    if (at < chunk.length) carry = chunk[at] ?? null
    return samples
  }

  function play(samples: Int16Array): void {
    if (samples.length === 0) return
    const floats = new Float32Array(samples.length)
    for (let index = 0; index < samples.length; index++) floats[index] = (samples[index] ?? 0) * SCALE
    fedSamples += floats.length
    send({ type: 'samples', samples: floats }, [floats.buffer])
  }

  const player: Player = {
    node,
    feed(chunk) {
      const samples = readSamples(chunk)
      play(resampler ? resampler.push(samples) : samples)
    },
    end() {
      if (resampler) play(resampler.flush())
      carry = null
      send({ type: 'end' })
    },
    flush() {
      carry = null
      resampler?.flush()
      fedBeforeFlush = fedSamples
      flushes++
      send({ type: 'flush' })
      checkWaiting()
    },
    async pipeFrom(stream, { signal } = {}) {
      const chunks: AsyncIterable<PlayerChunk> = 'getReader' in stream ? readAll(stream) : stream
      const onAbort = () => player.flush()
      signal?.addEventListener('abort', onAbort)
      try {
        for await (const chunk of chunks) {
          signal?.throwIfAborted()
          player.feed(chunk)
          await until(() => toMs(bufferedSamples()) < maxBufferedMs, signal)
        }
        player.end()
        await until(isDrained, signal)
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    drained: () => until(isDrained),
    get playedMs() {
      return toMs(report.playedSamples)
    },
    get bufferedMs() {
      return toMs(bufferedSamples())
    },
    get underruns() {
      return report.underruns
    },
    async close() {
      player.flush()
      node.disconnect()
      node.port.close()
      if (options.context === undefined) await context.close()
    },
  }
  return player
}

/** Contexts whose worklet is loaded or loading, because registering a name twice fails. */
const loading = new WeakMap<BaseAudioContext, Promise<void>>()

function loadWorklet(context: BaseAudioContext, url: string | URL | undefined): Promise<void> {
  const known = loading.get(context)
  if (known) return known
  const load = async () => {
    const source = `(${registerPlayer})(${JSON.stringify(PROCESSOR_NAME)})`
    const address = url ?? URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    try {
      await context.audioWorklet.addModule(address)
    } finally {
      if (url === undefined) URL.revokeObjectURL(String(address))
    }
  }
  const loaded = load()
  loading.set(context, loaded)
  loaded.catch(() => loading.delete(context))
  return loaded
}

/** Reads a stream chunk by chunk, because streams are not async iterable in Safari. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        isDone = true
        return
      }
      yield value
    }
  } finally {
    if (!isDone) await reader.cancel()
  }
}
