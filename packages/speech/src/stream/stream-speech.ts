import { type ChunkQueue, createChunkQueue } from '../engine-kit/chunk-queue.ts'
import { type Emotion, prosodyOf } from '../emotions.ts'
import { sampleRateOf, type SpeechEngine } from '../engine.ts'
import { requireSpeaks, supportedLanguage } from '../spoken-languages.ts'
import {
  createFrameMaker,
  type FrameMaker,
  FRAME_MS,
  STREAM_SAMPLE_RATE_HZ,
  type StreamModel,
} from './frame-maker.ts'
import { createSpeechPacer, type Pace, type SpeechPacer } from './pacer.ts'
import { queueSegment } from './queue-segment.ts'
import { SpeechError } from '../speech-error.ts'
import { spokenSegments } from '../text/spoken-segments.ts'
import type { Lexicon } from '../text/lexicon.ts'
import type { Markup } from '../text/markup/markup-reader.ts'

export interface StreamSpeechOptions {
  engine: SpeechEngine
  /** Plain text, spoken as `toSpokenText` gives it: the engine obeys no markup or command in it. */
  text: string
  /** How terms of the account are spoken. */
  lexicon?: Lexicon
  /** Whether Markdown and LaTeX in the text are left out; `keep` by default. */
  markup?: Markup
  voice: string
  /** BCP-47. */
  language: string
  emotion: Emotion
  /** Rate of speech, 0.5 to 2, or 0.25 to 4 if the engine has `wideRates`. */
  speed: number
  /** How to speak, in words, if the engine follows `instructions`. */
  instructions?: string
  /** Rate of the frames, of which 20 ms are whole samples. Default 16,000. */
  sampleRateHz?: number
  /** Default: the whole band of the stream. */
  model?: StreamModel
  /** Owner of the request, such as an account id. Engines take turns between tenants. */
  tenant?: string
  /** What this stream shares with others. Default: it waits for no other. */
  pacer?: SpeechPacer
  signal?: AbortSignal
}

/**
 * Speaks a text as frames of 20 ms, 320 samples at 16 kHz by default, the last one padded with silence. The same options give the same
 * frames. A slow reader occupies no engine: the stream runs at most 3 s and one segment ahead of it, and within a long
 * segment about 30 s. Ending the iteration or aborting frees the engine.
 *
 * @throws SpeechError on the first or a later frame; `nothing_to_speak` if nothing of the text has a sound
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
  const pace = (options.pacer ?? createSpeechPacer()).open()
  const onAbort = () => {
    queue.end(new SpeechError('aborted', 'The speech was aborted'))
    pace.close()
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  // The queue passes the outcome on to the reader.
  const speaking = speak(options, { queue, pace, signal }).then(
    () => queue.end(),
    (error: unknown) => queue.end(error),
  )
  const { engine, sampleRateHz = STREAM_SAMPLE_RATE_HZ } = options
  const accent = supportedLanguage(engine, options.language)?.accent ?? options.language
  // Resample only when the reader takes a chunk, so that look-ahead does not delay the first sound of other streams.
  const frames = createFrameMaker({
    fromHz: sampleRateOf(engine.capabilities(), accent),
    toHz: sampleRateHz,
    model: options.model,
  })
  try {
    yield* framesOf(queue, frames, pace)
  } finally {
    pace.close()
    stopped.abort()
    await speaking
  }
}

/** Makes the frames of what is queued, and passes them on in turn with other streams, from the first sound on. */
async function* framesOf(queue: ChunkQueue, maker: FrameMaker, pace: Pace): AsyncGenerator<Int16Array> {
  // Engines answer a text without a sound by no frame, or by one of silence.
  let silence: Int16Array | undefined
  let isAudible = false
  for (let isOver = false; !isOver;) {
    const chunk = await queue.take()
    isOver = chunk === undefined
    for (const frame of chunk === undefined ? maker.flush() : maker.push(chunk)) {
      if (!isAudible && silence === undefined && !frame.some(Boolean)) {
        silence = frame
        continue
      }
      isAudible = true
      for (const ready of silence === undefined ? [frame] : [silence, frame]) {
        pace.want(false)
        while (pace.mustWait()) await pace.changed()
        yield ready
        pace.took(FRAME_MS)
        pace.want(true)
      }
      silence = undefined
    }
  }
  if (!isAudible) throw new SpeechError('nothing_to_speak', 'Nothing of the text has a sound')
}

async function speak(
  options: StreamSpeechOptions,
  { queue, pace, signal }: { queue: ChunkQueue; pace: Pace; signal: AbortSignal },
): Promise<void> {
  const { engine, text, lexicon, markup, voice, emotion, speed, instructions, tenant } = options
  const manner = {
    prosody: prosodyOf({ emotion, speed }),
    ...(instructions !== undefined && { instructions }),
  }
  const language = requireSpeaks(engine, { language: options.language, voice, ...manner })
  const utterance = {}
  const written = { language: language.tag, ...(lexicon && { lexicon }), ...(markup && { markup }) }
  for (const segment of spokenSegments(text, written)) {
    const request = { text: segment.text, voice, language: language.accent, ...manner }
    const whose = { utterance, ...(tenant !== undefined && { tenant }) }
    await queueSegment({
      engine,
      request,
      pauseMs: segment.pauseMs,
      queue,
      aheadMs: pace.aheadMs,
      options: { signal, ...whose },
    })
  }
}
