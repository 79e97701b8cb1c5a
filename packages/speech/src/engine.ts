/** How well a language is spoken: `fallback` with a neighbouring accent, `degraded` if parts are read wrongly. */
export type LanguageQuality = 'native' | 'fallback' | 'degraded'

export interface EngineLanguage {
  /** BCP-47, as in `ne-NP`. */
  tag: string
  quality: LanguageQuality
  /** Explains the shortcoming if the quality is not native. */
  note?: string
  /** Voices that speak it, if not all do. */
  voices?: readonly string[]
  /** Name of the engine behind a router that speaks it. */
  engine?: string
  /** Sample rate of `synthesize` in it, if it is not that of the engine. */
  sampleRateHz?: number
}

export interface EngineCapabilities {
  languages: readonly EngineLanguage[]
  /** Names of voices. */
  voices: readonly string[]
  /** Sample rate of `synthesize`, but for languages that have another. */
  sampleRateHz: number
  /**
   * Whether the same request gives the same samples in every instance, regardless of earlier speech. Default true. A stream
   * whose reader is slow holds an engine that is not repeatable instead of asking it again.
   */
  repeatable?: boolean
  /** Whether `synthesize` calls `onWord`. */
  words?: boolean
  /** Whether speech that `continues` ends with its pause. `streamSpeech` adds a pause for other engines. */
  pauses?: boolean
  /** Whether it follows `pitchSemitones` and `range`. Default true. */
  pitch?: boolean
  /** Whether it follows `SynthesisRequest.instructions`. */
  instructions?: boolean
  /** Whether it speaks at rates from 0.25 to 4, beyond those that every engine has. */
  wideRates?: boolean
}

/** Manner of speaking, relative to the voice's default. */
export interface Prosody {
  /** Speed of speech as a factor, 0.4 to 2.5, or 0.25 to 4 at engines with `wideRates`; 1 is the voice's default. */
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
   * Plain text: an engine that parses markup or commands must escape them. `streamSpeech` passes sentences of at most 400
   * UTF-16 units, without control characters.
   */
  text: string
  voice: string
  /** Tag of one of the engine's languages. */
  language: string
  prosody: Prosody
  /** How to speak, in words: only for engines that follow `instructions`. */
  instructions?: string
  /** Whether the text goes on after this sentence: an engine that `pauses` ends it with the pause that the whole would have. */
  continues?: boolean
}

export interface SynthesisOptions {
  signal?: AbortSignal
  /** `first`: a listener waits for the first sound of a stream, which an engine that is busy refuses before `later` ones. Default `later`. */
  priority?: 'first' | 'later'
  /**
   * Audio that the listener has in hand, in milliseconds. Whoever would hear a gap first precedes others. Default: none for `first`,
   * a second for `later`.
   */
  aheadMs?: number
  /**
   * Owner of the request, such as an account id. Engines take turns between tenants, so none waits for another's burst.
   * Requests without a tenant share one turn.
   */
  tenant?: string
  /**
   * Called with each word in its order, before the chunk with its first sample. An engine that cannot tell when it says a
   * word never calls it.
   */
  onWord?: (word: SpokenWord) => void
  /** The same object for each segment of one text. A router keeps to one engine for it, so that the voice stays the same. */
  utterance?: object
}

/** A word of a request's text, as UTF-16 offsets with an exclusive end, and when its speech begins. */
export interface SpokenWord {
  start: number
  end: number
  /** From the first sample of the request's speech. */
  atSeconds: number
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
   * Yields the samples of one segment in chunks as they are made. Ending the iteration frees the engine. Unless
   * `repeatable` is false, the same request gives the same samples in every instance, regardless of earlier speech: streams
   * rely on this to resume a segment, and repeated requests to get the same result.
   *
   * @throws SpeechError on the first or a later iteration
   */
  synthesize(request: SynthesisRequest, options?: SynthesisOptions): AsyncIterable<Int16Array>
  /** Fails speech in progress with `engine_closed` and frees all resources. Idempotent. */
  close(): Promise<void>
}

/** What only some engines can do. */
export type Manner = Partial<Pick<SynthesisRequest, 'prosody' | 'instructions'>>

/** Rates that every engine speaks at: from half to twice the usual, for the slowest and the fastest emotion. */
const RATES = { min: 0.4, max: 2.5 }

/** Returns the code of the error for what an engine lacks to speak in this manner; undefined if it can. */
export function lackingFor(
  { instructions: follows, wideRates }: EngineCapabilities,
  { prosody, instructions }: Manner,
): 'instructions_not_supported' | 'rate_not_supported' | undefined {
  if (instructions !== undefined && follows !== true) return 'instructions_not_supported'
  const isWide = prosody !== undefined && (prosody.rate < RATES.min || prosody.rate > RATES.max)
  return isWide && wideRates !== true ? 'rate_not_supported' : undefined
}

/** Returns the sample rate of an engine's speech in a language, by its exact tag. */
export function sampleRateOf({ languages, sampleRateHz }: EngineCapabilities, language: string): number {
  return languages.find(({ tag }) => tag === language)?.sampleRateHz ?? sampleRateHz
}

/** Returns whether an engine speaks a language, by its exact tag, in a voice. */
export function speaksIn(capabilities: EngineCapabilities, language: string, voice: string): boolean {
  const row = capabilities.languages.find(({ tag }) => tag === language)
  return row !== undefined && (row.voices ?? capabilities.voices).includes(voice)
}
