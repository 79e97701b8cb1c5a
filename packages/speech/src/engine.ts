/** How well a language is spoken: `fallback` with a neighbouring accent, `degraded` if parts are read wrongly. */
export type LanguageQuality = 'native' | 'fallback' | 'degraded'

export interface EngineLanguage {
  /** BCP-47, as in `ne-NP`. */
  tag: string
  quality: LanguageQuality
  /** Explains the shortcoming if the quality is not native. */
  note?: string
}

export interface EngineCapabilities {
  languages: readonly EngineLanguage[]
  /** Names of voices. */
  voices: readonly string[]
  /** Sample rate of `synthesize`. */
  sampleRateHz: number
}

/** Manner of speaking, relative to the voice's default. */
export interface Prosody {
  /** Speed of speech as a factor, 0.4 to 2.5; 1 is the voice's default. */
  rate: number
  /** Semitones up or down. */
  pitchSemitones: number
  /** Variation of the pitch as a factor; 1 is the voice's default. */
  range: number
  /** Loudness, 0 to 1. */
  energy: number
}

export interface SynthesisRequest {
  /**
   * Plain text: an engine that parses markup or commands must escape them. `streamSpeech` passes segments of at most 200
   * UTF-16 units, without control characters.
   */
  text: string
  voice: string
  /** Tag of one of the engine's languages. */
  language: string
  prosody: Prosody
}

export interface SynthesisOptions {
  signal?: AbortSignal
  /** `first`: a listener waits for the first sound of a stream, so the request precedes `later` ones. Default `later`. */
  priority?: 'first' | 'later'
  /**
   * Owner of the request, such as an account id. Engines take turns between tenants, so none waits for another's burst.
   * Requests without a tenant share one turn.
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
   * Yields the samples of one segment in chunks as they are made. Ending the iteration frees the engine. The same request
   * gives the same samples in every instance, regardless of earlier speech: streams rely on this to resume a segment, and
   * repeated requests to get the same result.
   *
   * @throws SpeechError on the first or a later iteration
   */
  synthesize(request: SynthesisRequest, options?: SynthesisOptions): AsyncIterable<Int16Array>
  /** Fails speech in progress with `engine_closed` and frees all resources. Idempotent. */
  close(): Promise<void>
}

/** Finds the engine's language for a tag: the same tag in any case, or for a tag without region the first that matches. */
export function supportedLanguage(engine: SpeechEngine, tag: string): EngineLanguage | undefined {
  const wanted = tag.toLowerCase()
  const { languages } = engine.capabilities()
  return (
    languages.find((language) => language.tag.toLowerCase() === wanted) ??
    languages.find((language) => language.tag.toLowerCase().startsWith(`${wanted}-`))
  )
}
