import { createBreakers, type RestRules } from '@vaani/turns'
import { EngineOptionsError } from '../engine-kit/engine-options-error.ts'
import { atRate } from '../engine-kit/at-rate.ts'
import type {
  EngineCapabilities,
  SpeechEngine,
  SpokenWord,
  SynthesisOptions,
  SynthesisRequest,
} from '../engine.ts'
import { SpeechError, type SpeechErrorCode } from '../speech-error.ts'
import { chooseEngines, listLanguages, listVoices, type SpeechRoute } from './choose-engines.ts'

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
export function createSpeechRouter(options: SpeechRouterOptions): SpeechEngine {
  const { engines, onEvent = () => undefined, nowMs = () => performance.now() } = options
  const names = Object.keys(engines)
  const { routes = [{ engines: names }] } = options
  if (names.length === 0) throw new EngineOptionsError('engines', 'must not be empty')
  for (const [index, route] of routes.entries())
    for (const [place, name] of route.engines.entries())
      if (!Object.hasOwn(engines, name))
        throw new EngineOptionsError(`routes.${index}.engines.${place}`, 'is not the name of an engine')

  const known = new Map(Object.entries(engines).map(([name, engine]) => [name, engine.capabilities()]))
  const rates = [...known.values()].map(({ sampleRateHz }) => sampleRateHz)
  const capabilities: EngineCapabilities = {
    languages: listLanguages(routes, known),
    voices: listVoices(known),
    // Of different rates the highest, which loses nothing.
    sampleRateHz: Math.max(...rates),
    // Otherwise streams would add a pause to that of the engine.
    pauses: [...known.values()].every(({ pauses }) => pauses === true),
    pitch: [...known.values()].every(({ pitch = true }) => pitch),
    words: [...known.values()].every(({ words }) => words === true),
    repeatable: [...known.values()].every(({ repeatable = true }) => repeatable) && names.length === 1,
  }
  const breakers = createBreakers({
    rules: { ...REST_RULES, ...options.rests },
    nowMs,
    onRest: (engine, restMs) => onEvent({ type: 'resting', engine, restMs }),
    onRecovery: (engine) => onEvent({ type: 'recovered', engine }),
  })
  /** The engine that spoke the earlier segments of an utterance. */
  const speakers = new WeakMap<object, string>()
  let closed = false

  function fail(name: string, error: SpeechError, isHeard: boolean): void {
    switch (MEANING[error.code]) {
      case 'failure':
        if (closed) return
        onEvent({ type: 'failed', engine: name, isHeard, error })
        return breakers.fail(name)
      case 'busy':
        return breakers.pause(name, error.retryAfterMs ?? 0)
      case 'elsewhere':
      case 'final':
        return breakers.leave(name)
    }
  }

  /** Returns the engines to try, the one that spoke the earlier segments first. */
  function candidates({ language, voice }: SynthesisRequest, utterance: object | undefined): string[] {
    if (!capabilities.languages.some(({ tag }) => tag === language))
      throw new SpeechError('language_not_supported', 'No engine speaks this language')
    const chosen = chooseEngines(routes, known, { language, voice })
    if (chosen.length === 0)
      throw new SpeechError('voice_not_found', 'No engine speaks this language in this voice')
    const speaker = utterance && speakers.get(utterance)
    return speaker === undefined ? chosen : [...new Set([speaker, ...chosen])]
  }

  async function* synthesize(request: SynthesisRequest, synthesisOptions: SynthesisOptions = {}) {
    if (closed) throw new SpeechError('engine_closed', 'The engine is closed')
    let last: SpeechError | undefined
    const { utterance, onWord } = synthesisOptions
    const order = candidates(request, utterance)
    for (const name of order) {
      const engine = engines[name]
      if (engine === undefined || !breakers.begin(name)) continue
      const fromHz = known.get(name)?.sampleRateHz ?? capabilities.sampleRateHz
      /** Words before the first audio, which nobody is told of if the engine fails. */
      const early: SpokenWord[] = []
      let isHeard = false
      const tellWord = onWord && ((word: SpokenWord) => (isHeard ? onWord(word) : void early.push(word)))
      const asked = { ...synthesisOptions, ...(tellWord && { onWord: tellWord }) }
      const chunks = atRate(engine.synthesize(request, asked), {
        fromHz,
        toHz: capabilities.sampleRateHz,
      })
      try {
        for await (const chunk of chunks) {
          if (chunk.length === 0) continue
          if (!isHeard) {
            isHeard = true
            breakers.succeed(name)
            for (const word of early) onWord?.(word)
            if (utterance !== undefined) speakers.set(utterance, name)
          }
          yield chunk
        }
        // A text without a sound shows nothing: some engines do not even ask their server.
        if (!isHeard) breakers.leave(name)
        return
      } catch (error) {
        last = toSpeechError(error)
        fail(name, last, isHeard)
        if (isHeard || closed || MEANING[last.code] === 'final') throw last
      }
    }
    throw last ?? allRest(order)
  }

  function allRest(order: readonly string[]): SpeechError {
    const untilMs = Math.min(...order.map((name) => breakers.stateOf(name).untilMs))
    return new SpeechError('engine_busy', 'Every engine for this language and voice rests after failures', {
      retryAfterMs: Math.max(1000, untilMs - nowMs()),
    })
  }

  return {
    id: 'router',
    license: [...new Set(Object.values(engines).map(({ license }) => license))].join(' AND '),
    capabilities: () => capabilities,
    synthesize,
    async close() {
      closed = true
      await Promise.all(Object.values(engines).map((engine) => engine.close()))
    },
  }
}

const toSpeechError = (error: unknown): SpeechError =>
  error instanceof SpeechError
    ? error
    : new SpeechError('engine_failed', 'The engine failed', { cause: error })
