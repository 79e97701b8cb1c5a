import { createFramer, createResampler } from '@vaani/pcm-audio'
import { type Emotion, prosodyOf } from './emotions.ts'
import { type SpeechEngine, supportedLanguage } from './engine.ts'
import { type ChunkQueue, createChunkQueue } from './chunk-queue.ts'
import { segmentText } from './segment-text.ts'
import { speakableText } from './speakable-text.ts'
import { SpeechError } from './speech-error.ts'

/** Format of every stream: frames of 20 ms at 16 kHz. */
export const STREAM_SAMPLE_RATE_HZ = 16_000
export const STREAM_FRAME_SAMPLES = 320
/** The next segment is requested when less than this is queued for the reader. */
const LOOK_AHEAD_SECONDS = 3
/**
 * When more than this is queued for the reader, the engine is freed, and the segment is later synthesized again to resume
 * there. Ordinary segments are shorter; 200 Braille symbols, each read by name, last a minute, or three at a slow speed.
 */
const MAX_AHEAD_SECONDS = 30

export interface StreamSpeechOptions {
  engine: SpeechEngine
  /** Plain text: the engine obeys no markup or command in it. */
  text: string
  voice: string
  /** BCP-47. */
  language: string
  emotion: Emotion
  /** Rate of speech, 0.5 to 2. */
  speed: number
  /** Owner of the request, such as an account id. Engines take turns between tenants. */
  tenant?: string
  signal?: AbortSignal
}

/**
 * Speaks a text as frames of 320 samples at 16 kHz, the last one padded with silence. The same options give the same
 * frames. A slow reader occupies no engine: the stream runs at most 3 s and one segment ahead of it, and within a long
 * segment about 30 s. Ending the iteration or aborting frees the engine.
 *
 * @throws SpeechError on the first or a later frame
 * @example
 * for await (const frame of streamSpeech({ engine, text: 'Namaste', voice: 'nova', language: 'ne-NP', emotion: 'warm', speed: 1 }))
 *   speaker.write(frame)
 */
export async function* streamSpeech(
  options: StreamSpeechOptions,
): AsyncGenerator<Int16Array, void, undefined> {
  const stopped = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal
  const queue = createChunkQueue()
  const onAbort = () => queue.end(new SpeechError('aborted', 'The speech was aborted'))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  // The queue passes the outcome on to the reader.
  const speaking = speak(options, queue, signal).then(
    () => queue.end(),
    (error: unknown) => queue.end(error),
  )
  // Resample only when the reader takes a chunk, so that look-ahead does not delay the first sound of other streams.
  const resampler = createResampler({
    fromHz: options.engine.capabilities().sampleRateHz,
    toHz: STREAM_SAMPLE_RATE_HZ,
  })
  const framer = createFramer({ samplesPerFrame: STREAM_FRAME_SAMPLES })
  try {
    for (let chunk = await queue.take(); chunk !== undefined; chunk = await queue.take())
      yield* framer.push(resampler.push(chunk))
    yield* framer.push(resampler.flush())
    yield* framer.flush()
  } finally {
    stopped.abort()
    await speaking
  }
}

async function speak(options: StreamSpeechOptions, queue: ChunkQueue, signal: AbortSignal): Promise<void> {
  const { engine, text, voice, emotion, speed, tenant } = options
  const { sampleRateHz, voices } = engine.capabilities()
  const language = supportedLanguage(engine, options.language)
  if (language === undefined)
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  if (!voices.includes(voice)) throw new SpeechError('voice_not_found', 'The engine has no such voice')
  const prosody = prosodyOf({ emotion, speed })
  const segments = segmentText(speakableText(text), language.tag)
  for (const [index, segment] of segments.entries()) {
    const request = { text: segment.text, voice, language: language.tag, prosody }
    for (let spoken: number | undefined = 0; spoken !== undefined;) {
      await queue.untilBelow(LOOK_AHEAD_SECONDS * sampleRateHz)
      signal.throwIfAborted()
      const priority = index === 0 && spoken === 0 ? 'first' : 'later'
      const chunks = engine.synthesize(request, { signal, priority, ...(tenant !== undefined && { tenant }) })
      spoken = await speakFrom({ chunks, from: spoken, queue, maxAhead: MAX_AHEAD_SECONDS * sampleRateHz })
    }
    // Slower speech has longer pauses.
    if (index < segments.length - 1) {
      const pauseSeconds = segment.pauseMs / 1000 / prosody.rate
      queue.push(new Int16Array(Math.round(pauseSeconds * sampleRateHz)))
    }
  }
}

/**
 * Queues a segment from a sample on.
 *
 * @returns the sample at which it stopped because too much was queued; undefined at the segment's end
 */
async function speakFrom(options: {
  chunks: AsyncIterable<Int16Array>
  from: number
  queue: ChunkQueue
  maxAhead: number
}): Promise<number | undefined> {
  const { chunks, from, queue, maxAhead } = options
  let at = 0
  for await (const chunk of chunks) {
    const known = Math.max(0, from - at)
    at += chunk.length
    if (known < chunk.length) queue.push(chunk.subarray(known))
    if (queue.waiting() > maxAhead) return at
  }
  return undefined
}
