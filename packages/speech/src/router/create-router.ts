import { type Breakers, createBreakers, type RestRules } from '@vaani/turns'
import { EngineOptionsError } from '../engine-kit/engine-options-error.ts'
import { atRate } from '../engine-kit/at-rate.ts'
import {
  type EngineCapabilities,
  lackingFor,
  sampleRateOf,
  type SpeechEngine,
  type SpokenWord,
  type SynthesisOptions,
  type SynthesisRequest,
} from '../engine.ts'
import { SpeechError, type SpeechErrorCode } from '../speech-error.ts'
import {
  chooseEngines,
  hasChoice,
  highestRate,
  listLanguages,
  listVoices,
  type SpeechRoute,
} from './choose-engines.ts'

/** Something that an operator may want to see. */
export type RouterEvent =
  /** An engine failed before its first audio (`isHeard` false), or in the middle of a segment. */
  | { type: 'failed'; engine: string; isHeard: boolean; error: SpeechError }
  /** An engine gets no requests for this time. */
  | { type: 'resting'; engine: string; restMs: number }
  /** An engine speaks again. */
  | { type: 'recovered'; engine: string }

export interface SpeechRouterOptions {
  /** Engines by name. The router closes them. */
  engines: Readonly<Record<string, SpeechEngine>>
  /** Default: every engine speaks what it can, the first ones preferred. */
  routes?: readonly SpeechRoute[]
  rests?: Partial<RestRules>
  onEvent?: (event: RouterEvent) => void
  nowMs?: () => number
}

/** Enough failures that one bad text, tried again by its sender, is not likely to be all of them. */
const REST_RULES: RestRules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }

/** What an engine's error means before its first audio. */
const MEANING: Readonly<Record<SpeechErrorCode, 'failure' | 'busy' | 'elsewhere' | 'final'>> = {
  engine_failed: 'failure',
  engine_closed: 'failure',
  engine_busy: 'busy',
  // Not a failure: otherwise one account's text could take an engine away from all others.
  text_refused: 'elsewhere',
  language_not_supported: 'elsewhere',
  voice_not_found: 'elsewhere',
  instructions_not_supported: 'elsewhere',
  rate_not_supported: 'elsewhere',
  nothing_to_speak: 'final',
  speech_too_long: 'final',
  encoder_missing: 'final',
  too_many_encoders: 'final',
  aborted: 'final',
}

/**
 * Creates an engine that passes each request to one of several engines, by a table of languages and voices. If an engine
 * fails before its first audio, the next one in the row speaks; after the first audio the error is passed on. An engine that
 * fails repeatedly rests. All segments of an utterance are spoken by one engine as long as it works.
 *
 * @throws EngineOptionsError if a route names an unknown engine
 * @example
 * const engine = createSpeechRouter({
 *   engines: { vendor, embedded },
 *   routes: [{ languages: ['ne'], engines: ['embedded'] }, { engines: ['vendor', 'embedded'] }],
 * })
 */
export const createSpeechRouter = (options: SpeechRouterOptions): SpeechEngine => new SpeechRouter(options)

class SpeechRouter implements SpeechEngine {
  readonly license: string
  readonly id: string
  readonly #engines: Readonly<Record<string, SpeechEngine>>
  readonly #onEvent: (event: RouterEvent) => void
  readonly #nowMs: () => number
  readonly #routes: readonly SpeechRoute[]
  readonly #known: Map<string, EngineCapabilities>
  readonly #capabilities: EngineCapabilities
  readonly #breakers: Breakers
  /** The engine that spoke the earlier segments of an utterance. */
  readonly #speakers = new WeakMap<object, string>()
  #closed = false

  constructor(options: SpeechRouterOptions) {
    const { engines, onEvent = () => undefined, nowMs = () => performance.now() } = options
    this.#engines = engines
    this.#onEvent = onEvent
    this.#nowMs = nowMs
    const names = Object.keys(engines)
    const { routes = [{ engines: names }] } = options
    this.#routes = routes
    if (names.length === 0) throw new EngineOptionsError('engines', 'must not be empty')
    for (const [index, route] of routes.entries())
      for (const [place, name] of route.engines.entries())
        if (!Object.hasOwn(engines, name))
          throw new EngineOptionsError(`routes.${index}.engines.${place}`, 'is not the name of an engine')
    this.#known = new Map(Object.entries(engines).map(([name, engine]) => [name, engine.capabilities()]))
    this.#capabilities = {
      languages: listLanguages(routes, this.#known),
      voices: listVoices(this.#known),
      sampleRateHz: highestRate(this.#known.values()),
      // Otherwise streams would add a pause to that of the engine.
      pauses: [...this.#known.values()].every(({ pauses }) => pauses === true),
      pitch: [...this.#known.values()].every(({ pitch = true }) => pitch),
      instructions: [...this.#known.values()].some(({ instructions }) => instructions === true),
      wideRates: [...this.#known.values()].some(({ wideRates }) => wideRates === true),
      words: [...this.#known.values()].every(({ words }) => words === true),
      // Another engine would say the same request otherwise.
      repeatable:
        [...this.#known.values()].every(({ repeatable = true }) => repeatable) &&
        !hasChoice(routes, this.#known),
    }
    this.#breakers = createBreakers({
      rules: { ...REST_RULES, ...options.rests },
      nowMs,
      onRest: (engine, restMs) => onEvent({ type: 'resting', engine, restMs }),
      onRecovery: (engine) => onEvent({ type: 'recovered', engine }),
    })
    this.id = 'router'
    this.license = [...new Set(Object.values(this.#engines).map(({ license }) => license))].join(' AND ')
  }

  async *synthesize(
    request: SynthesisRequest,
    synthesisOptions: SynthesisOptions = {},
  ): AsyncGenerator<Int16Array, void, unknown> {
    if (this.#closed) throw new SpeechError('engine_closed', 'The engine is closed')
    let last: SpeechError | undefined
    const { utterance, onWord } = synthesisOptions
    const order = this.#candidates(request, utterance)
    for (const name of order) {
      const engine = this.#engines[name]
      if (engine === undefined || !this.#breakers.begin(name)) continue
      /** Words before the first audio, which nobody is told of if the engine fails. */
      const early: SpokenWord[] = []
      let isHeard = false
      const tellWord = onWord && ((word: SpokenWord) => (isHeard ? onWord(word) : void early.push(word)))
      const asked = { ...synthesisOptions, ...(tellWord && { onWord: tellWord }) }
      const chunks = atRate(engine.synthesize(request, asked), {
        fromHz: sampleRateOf(engine.capabilities(), request.language),
        toHz: sampleRateOf(this.#capabilities, request.language),
      })
      try {
        for await (const chunk of chunks) {
          if (chunk.length === 0) continue
          if (!isHeard) {
            isHeard = true
            this.#breakers.succeed(name)
            for (const word of early) onWord?.(word)
            if (utterance !== undefined) this.#speakers.set(utterance, name)
          }
          yield chunk
        }
        // A text without a sound shows nothing: some engines do not even ask their server.
        if (!isHeard) this.#breakers.leave(name)
        return
      } catch (error) {
        last = toSpeechError(error)
        this.#fail(name, last, isHeard)
        if (isHeard || this.#closed || MEANING[last.code] === 'final') throw last
      }
    }
    throw last ?? this.#allRest(order)
  }

  capabilities(): EngineCapabilities {
    return this.#capabilities
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Object.values(this.#engines).map((engine) => engine.close()))
  }

  #fail(name: string, error: SpeechError, isHeard: boolean): void {
    switch (MEANING[error.code]) {
      case 'failure':
        if (this.#closed) return
        this.#onEvent({ type: 'failed', engine: name, isHeard, error })
        return this.#breakers.fail(name)
      case 'busy':
        return this.#breakers.pause(name, error.retryAfterMs ?? 0)
      case 'elsewhere':
      case 'final':
        return this.#breakers.leave(name)
    }
  }

  /** Returns the engines to try, the one that spoke the earlier segments first. */
  #candidates({ language, voice, ...manner }: SynthesisRequest, utterance: object | undefined): string[] {
    if (!this.#capabilities.languages.some(({ tag }) => tag === language))
      throw new SpeechError('language_not_supported', 'No engine speaks this language')
    const chosen = chooseEngines(this.#routes, this.#known, { language, voice })
    if (chosen.length === 0)
      throw new SpeechError('voice_not_found', 'No engine speaks this language in this voice')
    const lacking = chosen.map((name) => lackingFor(this.#known.get(name) ?? this.#capabilities, manner))
    const able = chosen.filter((_, place) => lacking[place] === undefined)
    if (able.length === 0 && lacking[0] !== undefined)
      throw new SpeechError(lacking[0], 'No engine for this language and voice speaks like that')
    const speaker = utterance && this.#speakers.get(utterance)
    return speaker === undefined ? able : [...new Set([speaker, ...able])]
  }

  #allRest(order: readonly string[]): SpeechError {
    const untilMs = Math.min(...order.map((name) => this.#breakers.stateOf(name).untilMs))
    return new SpeechError('engine_busy', 'Every engine for this language and voice rests after failures', {
      retryAfterMs: Math.max(1000, untilMs - this.#nowMs()),
    })
  }
}

const toSpeechError = (error: unknown): SpeechError =>
  error instanceof SpeechError
    ? error
    : new SpeechError('engine_failed', 'The engine failed', { cause: error })
