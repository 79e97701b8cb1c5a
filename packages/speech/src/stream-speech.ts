import { createFramer, createResampler } from '@vaani/pcm-audio'
import { type Emotion, prosodyOf } from './emotions.ts'
import { type SpeechEngine, supportedLanguage } from './engine.ts'
import { type ChunkQueue, createChunkQueue } from './chunk-queue.ts'
import { segmentText } from './segment-text.ts'
import { SpeechError } from './speech-error.ts'

/** What streams are made of: 20 ms at 16 kHz. */
export const STREAM_SAMPLE_RATE_HZ = 16_000
export const STREAM_FRAME_SAMPLES = 320
/** The engine is asked for the next segment when less than this is left to be taken. */
const LOOK_AHEAD_SECONDS = 3

export interface StreamSpeechOptions {
  engine: SpeechEngine
  /** Plain text, never markup. */
  text: string
  voice: string
  /** BCP-47. */
  language: string
  emotion: Emotion
  /** Rate of speech, 0.5 to 2. */
  speed: number
  signal?: AbortSignal
}

/**
 * Speaks a text as frames of 320 samples at 16 kHz, the last one padded with silence. A reader that is slow holds no
 * engine: only 3 s and a segment are made ahead of it. Ending the iteration, or aborting, frees the engine.
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
  // Its outcome is told by the queue.
  const speaking = speak(options, queue, signal).then(
    () => queue.end(),
    (error: unknown) => queue.end(error),
  )
  // Only what is taken is resampled, so that a stream's look-ahead costs the others' first sound nothing.
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
  const { engine, text, voice, emotion, speed } = options
  const { sampleRateHz, voices } = engine.capabilities()
  const language = supportedLanguage(engine, options.language)
  if (language === undefined)
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  if (!voices.includes(voice)) throw new SpeechError('voice_not_found', 'The engine has no such voice')
  const prosody = prosodyOf({ emotion, speed })
  const segments = segmentText(text, language.tag)
  for (const [index, segment] of segments.entries()) {
    await queue.untilBelow(LOOK_AHEAD_SECONDS * sampleRateHz)
    signal.throwIfAborted()
    const request = { text: segment.text, voice, language: language.tag, prosody }
    const chunks = engine.synthesize(request, { signal, priority: index === 0 ? 'first' : 'later' })
    for await (const chunk of chunks) queue.push(chunk)
    // Slower speech pauses longer.
    if (index < segments.length - 1) {
      const pauseSeconds = segment.pauseMs / 1000 / prosody.rate
      queue.push(new Int16Array(Math.round(pauseSeconds * sampleRateHz)))
    }
  }
}
