export type SpeechErrorCode =
  | 'language_not_supported'
  | 'voice_not_found'
  /** The engine follows no instructions. */
  | 'instructions_not_supported'
  /** The engine does not speak as slowly or as fast as that. */
  | 'rate_not_supported'
  /** Nothing of the text has a sound. */
  | 'nothing_to_speak'
  /** The engine refused this text; it may speak others, and another engine may speak this one. */
  | 'text_refused'
  /** The speech would be longer than its caller allows. */
  | 'speech_too_long'
  /** The format is encoded by a program that is not installed. */
  | 'encoder_missing'
  /** The tenant has as many streams of a format encoded at a time as it may. */
  | 'too_many_encoders'
  | 'engine_failed'
  | 'engine_busy'
  | 'engine_closed'
  | 'aborted'

export interface SpeechErrorOptions extends ErrorOptions {
  /** With `engine_busy`: how long the engine asks everyone to wait. */
  retryAfterMs?: number
}

/** In the global symbol registry, because an engine may bring a copy of this package of its own. */
const marker = Symbol.for('vaani.SpeechError')

/** Reports that text could not be spoken. The message never contains the text. `instanceof` recognises those of other copies too. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError'
  readonly code: SpeechErrorCode
  readonly retryAfterMs: number | undefined

  constructor(code: SpeechErrorCode, message: string, options?: SpeechErrorOptions) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options?.retryAfterMs
  }

  get [marker](): true {
    return true
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && marker in value
  }
}
