import { createQueue, type Queue } from '../engine-kit/chunk-queue.ts'
import { prosodyOf } from '../emotions.ts'
import { sampleRateOf, type SpeechEngine, type SynthesisOptions } from '../engine.ts'
import { requireSpeaks } from '../spoken-languages.ts'
import {
  createFrameMaker,
  STREAM_FRAME_SAMPLES,
  STREAM_SAMPLE_RATE_HZ,
  type StreamModel,
  type FrameMaker,
} from '../stream/frame-maker.ts'
import { createSpeechPacer, type SpeechPacer, type Pace } from '../stream/pacer.ts'
import { queueSegment } from '../stream/queue-segment.ts'
import type { Lexicon } from '../text/lexicon.ts'
import type { Markup } from '../text/markup/markup-reader.ts'
import {
  createScript,
  type LiveMessage,
  type LiveStep,
  type Manner,
  type Phrase,
  type Script,
} from './script.ts'

export interface LiveSpeechOptions extends Manner {
  engine: SpeechEngine
  voice: string
  /** BCP-47. */
  language: string
  /** How terms of the account are spoken. */
  lexicon?: Lexicon
  /** Whether Markdown and LaTeX are left out; `strip` by default, because language models write them. */
  markup?: Markup
  /** Default: the whole band of the stream. */
  model?: StreamModel
  /** Owner of the request, such as an account id. Engines take turns between tenants. */
  tenant?: string
  /** What this speech shares with others. Default: it waits for no other. */
  pacer?: SpeechPacer
}

export type LiveSpeechEvent =
  /** Whole frames of 320 samples at 16 kHz. */
  | { type: 'audio'; samples: Int16Array<ArrayBuffer> }
  /** Precedes the audio in which the phrase or the word begins, at a place in all audio. `text` is as it was written, without markup. */
  | { type: 'mark'; kind: 'phrase' | 'word'; text: string; atMs: number }
  /** Answers a `flush`, after everything before it. */
  | { type: 'flushed' }
  /** Answers a `cancel`. The next audio begins at this place. */
  | { type: 'canceled'; atMs: number }
  /** Answers an `end`, as the last event. */
  | { type: 'ended'; durationMs: number }

/** Speech of a text that is still being written. */
export interface LiveSpeech {
  /**
   * Takes a message; `end` is the last. After a `cancel`, no event from before it is returned, except for a `flushed` for each
   * `flush` that is still due.
   */
  hear(message: LiveMessage): void
  /**
   * Returns the next event, as soon as there is one; undefined once it has ended or was closed. For one reader at a time.
   *
   * @throws SpeechError if the engine failed; the speech is then over
   */
  next(): Promise<LiveSpeechEvent | undefined>
  /** Returns the UTF-16 units of text that no engine was asked to speak yet. */
  waitingUnits(): number
  /** Returns how much of the audio that was read could not have been played yet, in milliseconds. */
  aheadMs(): number
  /** Ends the speech and frees the engine. Idempotent. */
  close(): void
}

/** Frames of one event at most: a second. */
const MAX_FRAMES = 50

type Item =
  | { type: 'samples'; samples: Int16Array }
  | { type: 'mark'; kind: 'phrase' | 'word'; text: string; atSample: number }
  | { type: 'flush' }
  | { type: 'end' }

/** What is spoken between two cancels. */
interface Take {
  readonly steps: Exclude<LiveStep, { type: 'cancel' }>[]
  readonly queue: Queue<Item>
  readonly stopped: AbortController
  isWorking: boolean
  /** Samples queued since the last flush. */
  samples: number
}

const openTake = (): Take => ({
  steps: [],
  queue: createQueue((item) => (item.type === 'samples' ? item.samples.length : 0)),
  stopped: new AbortController(),
  isWorking: false,
  samples: 0,
})

/**
 * Speaks a text while it is being written, phrase by phrase, with the sound of the whole: an incomplete phrase waits for more
 * text, a `flush` or the `end`. While the reader takes one phrase, the next is synthesized; a slow reader occupies no engine,
 * as with `streamSpeech`.
 *
 * @throws SpeechError `language_not_supported`, `voice_not_found`
 * @example
 * const speech = createLiveSpeech({ engine, voice: 'nova', language: 'en-US', emotion: 'warm', speed: 1 })
 * for (const text of ['Good mor', 'ning. How are', ' you?']) speech.hear({ type: 'speak', text })
 * speech.hear({ type: 'end' })
 * for (let event = await speech.next(); event !== undefined; event = await speech.next())
 *   if (event.type === 'audio') speaker.write(event.samples)
 */
export const createLiveSpeech = (options: LiveSpeechOptions): LiveSpeech => new QueuedLiveSpeech(options)

class QueuedLiveSpeech implements LiveSpeech {
  readonly aheadMs: () => number
  readonly #engine: SpeechEngine
  readonly #voice: string
  readonly #model: StreamModel | undefined
  readonly #pace: Pace
  /** Tag of the engine's language. */
  readonly #accent: string
  readonly #script: Script
  readonly #sampleRateHz: number
  readonly #whose: Pick<SynthesisOptions, 'tenant' | 'utterance'>
  #take = openTake()
  /** Events to return before anything else is taken from the queue. */
  #ready: LiveSpeechEvent[] = []
  #frames: FrameMaker
  /** Audio that was made and that was returned, and where the audio since the last flush or cancel begins. */
  #madeMs = 0
  #returnedMs = 0
  #startMs = 0
  #hasEnd = false
  #isOver = false

  constructor(options: LiveSpeechOptions) {
    const { engine, voice, emotion, speed, lexicon, markup = 'strip', model, tenant } = options
    this.#engine = engine
    this.#voice = voice
    this.#model = model
    this.#pace = (options.pacer ?? createSpeechPacer()).open()
    this.#pace.want(false)
    const { tag, accent } = requireSpeaks(engine, options)
    this.#accent = accent
    this.#script = createScript({
      language: tag,
      markup,
      emotion,
      speed,
      ...(lexicon && { lexicon }),
    })
    this.#sampleRateHz = sampleRateOf(engine.capabilities(), accent)
    this.#whose = { utterance: {}, ...(tenant !== undefined && { tenant }) }
    this.#frames = this.#openFrames()
    this.aheadMs = this.#pace.aheadMs
  }

  hear(message: LiveMessage): void {
    if (this.#isOver || this.#hasEnd) return
    this.#hasEnd = message.type === 'end'
    for (const step of this.#script.hear(message))
      if (step.type === 'cancel') this.#cancel()
      else this.#take.steps.push(step)
    void this.#work(this.#take)
  }

  async next(): Promise<LiveSpeechEvent | undefined> {
    while (!this.#isOver) {
      if (this.#ready[0]?.type === 'audio' && this.#pace.mustWait()) {
        this.#pace.want(false)
        await this.#pace.changed()
        continue
      }
      const event = this.#ready.shift()
      if (event === undefined) {
        const own = this.#take
        // While it waits for text, nobody need wait for it.
        this.#pace.want(own.isWorking)
        const item = await own.queue.take()
        if (own === this.#take && item !== undefined) this.#receive(item)
        continue
      }
      this.#pace.want(false)
      if (event.type === 'ended') this.#isOver = true
      if (event.type !== 'audio') return event
      this.#returnedMs += millisecondsOf(event.samples)
      this.#pace.took(millisecondsOf(event.samples))
      return event
    }
    return undefined
  }

  waitingUnits(): number {
    return this.#take.steps.reduce(
      (sum, step) => sum + (step.type === 'phrase' ? step.text.length : 0),
      this.#script.waitingUnits(),
    )
  }

  close(): void {
    this.#isOver = true
    this.#pace.close()
    this.#take.stopped.abort()
    this.#take.queue.end()
  }

  #openFrames(): FrameMaker {
    return createFrameMaker({ fromHz: this.#sampleRateHz, model: this.#model })
  }

  async #speak(phrase: Phrase, own: Take): Promise<void> {
    const { queue } = own
    const segments = phrase.segments()
    if (segments.length === 0) return
    queue.push({ type: 'mark', kind: 'phrase', text: phrase.text.trim(), atSample: own.samples })
    let markedUntil = 0
    for (const { text, pauseMs, written } of segments) {
      const startSample = own.samples
      await queueSegment({
        engine: this.#engine,
        request: { text, voice: this.#voice, language: this.#accent, prosody: prosodyOf(phrase) },
        pauseMs,
        aheadMs: this.aheadMs,
        queue: {
          ...queue,
          push(samples) {
            own.samples += samples.length
            queue.push({ type: 'samples', samples })
          },
        },
        options: {
          signal: own.stopped.signal,
          ...this.#whose,
          onWord: (word) => {
            const { start, end } = written(word)
            // What is written once may be spoken as several words.
            if (start < markedUntil) return
            markedUntil = end
            const atSample = startSample + word.atSeconds * this.#sampleRateHz
            queue.push({ type: 'mark', kind: 'word', text: phrase.text.slice(start, end), atSample })
          },
        },
      })
    }
  }

  async #work(own: Take): Promise<void> {
    if (own.isWorking) return
    own.isWorking = true
    try {
      for (let step = own.steps.shift(); step !== undefined; step = own.steps.shift()) {
        if (step.type === 'phrase') await this.#speak(step, own)
        else {
          own.samples = 0
          own.queue.push(step)
        }
      }
    } catch (error) {
      own.queue.end(error)
    }
    own.isWorking = false
  }

  #addAudio(made: readonly Int16Array[]): void {
    for (let from = 0; from < made.length; from += MAX_FRAMES) {
      const part = made.slice(from, from + MAX_FRAMES)
      const samples = new Int16Array(part.length * STREAM_FRAME_SAMPLES)
      for (const [index, frame] of part.entries()) samples.set(frame, index * STREAM_FRAME_SAMPLES)
      this.#madeMs += millisecondsOf(samples)
      this.#ready.push({ type: 'audio', samples })
    }
  }

  #finishAudio(): void {
    this.#addAudio(this.#frames.flush())
    this.#frames = this.#openFrames()
    this.#startMs = this.#madeMs
  }

  #receive(item: Item): void {
    switch (item.type) {
      case 'samples':
        return this.#addAudio(this.#frames.push(item.samples))
      case 'mark': {
        const { atSample, ...mark } = item
        this.#ready.push({
          ...mark,
          atMs: Math.round(this.#startMs + (atSample / this.#sampleRateHz) * 1000),
        })
        return
      }
      case 'flush':
        this.#finishAudio()
        this.#ready.push({ type: 'flushed' })
        return
      case 'end':
        this.#finishAudio()
        this.#ready.push({ type: 'ended', durationMs: this.#madeMs })
    }
  }

  /** Ends a take. Its flushes are answered at once, because nothing is left to send before them. */
  #drop({ queue, steps, stopped }: Take): void {
    stopped.abort()
    queue.end()
    const pending = [...this.#ready, ...queue.clear(), ...steps].filter(
      ({ type }) => type === 'flush' || type === 'flushed' || type === 'canceled',
    )
    this.#ready = pending.map((event): LiveSpeechEvent =>
      event.type === 'canceled' ? event : { type: 'flushed' },
    )
    this.#frames = this.#openFrames()
    this.#madeMs = this.#startMs = this.#returnedMs
    this.#pace.drop()
  }

  #cancel(): void {
    const dropped = this.#take
    this.#take = openTake()
    this.#drop(dropped)
    this.#ready.push({ type: 'canceled', atMs: this.#returnedMs })
  }
}

const millisecondsOf = (samples: Int16Array): number => (samples.length / STREAM_SAMPLE_RATE_HZ) * 1000
