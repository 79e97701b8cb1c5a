export type SpeechErrorCode =
  | 'language_not_supported'
  | 'voice_not_found'
  | 'engine_failed'
  | 'engine_busy'
  | 'engine_closed'
  | 'aborted'

/** Reports that text could not be spoken. The message never contains the text. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError'
  readonly code: SpeechErrorCode

  constructor(code: SpeechErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
