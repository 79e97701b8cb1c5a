/** How well a language is spoken: `fallback` with a neighbouring accent, `degraded` if parts are read wrongly. */
export type LanguageQuality = 'native' | 'fallback' | 'degraded'

export interface EngineLanguage {
  /** BCP-47, as in `ne-NP`. */
  tag: string
  quality: LanguageQuality
  /** What is missing, if the quality is not native. */
  note?: string
}

export interface EngineCapabilities {
  languages: readonly EngineLanguage[]
  /** Names of voices. */
  voices: readonly string[]
  /** Of the samples that `synthesize` gives. */
  sampleRateHz: number
}

/** How something is said, as factors and semitones around the voice's own way. */
export interface Prosody {
  /** Words per time, 1 is the voice's own; 0.4 to 2.5. */
  rate: number
  /** Semitones up or down. */
  pitchSemitones: number
  /** How much the pitch moves, 1 is the voice's own. */
  range: number
  /** Loudness, 0 to 1. */
  energy: number
}

export interface SynthesisRequest {
  /**
   * Plain text: an engine that reads markup or commands escapes them. `streamSpeech` gives segments of at most 200
   * UTF-16 units, without control characters.
   */
  text: string
  voice: string
  /** A tag of the engine's languages. */
  language: string
  prosody: Prosody
}

export interface SynthesisOptions {
  signal?: AbortSignal
  /** `first`: somebody waits for the first sound of a stream; goes before the others. Default `later`. */
  priority?: 'first' | 'later'
  /**
   * Whose request this is, as the id of an account: engines take turns between tenants, so none waits for another's
   * burst. Requests without one count as one tenant's.
   */
  tenant?: string
}

/**
 * Turns segments of text into mono samples. Any package that exports a `createEngine` and passes
 * `@vaani/speech/conformance` is an engine.
 */
export interface SpeechEngine {
  readonly id: string
  /** SPDX identifier. */
  readonly license: string
  capabilities(): EngineCapabilities
  /**
   * The samples of one segment, in chunks, as they are made. Ending the iteration frees the engine. The same request
   * gives the same samples, in every instance and whatever was spoken before: streams rely on it to go on with a
   * segment, and repeated requests to be answered alike.
   *
   * @throws SpeechError when the iteration begins or goes on
   */
  synthesize(request: SynthesisRequest, options?: SynthesisOptions): AsyncIterable<Int16Array>
  /** Ends what is going on with `engine_closed` and frees everything. Idempotent. */
  close(): Promise<void>
}

/** The engine's entry for a tag: the same tag in any case, or the first of a language that was named without a region. */
export function supportedLanguage(engine: SpeechEngine, tag: string): EngineLanguage | undefined {
  const wanted = tag.toLowerCase()
  const { languages } = engine.capabilities()
  return (
    languages.find((language) => language.tag.toLowerCase() === wanted) ??
    languages.find((language) => language.tag.toLowerCase().startsWith(`${wanted}-`))
  )
}
