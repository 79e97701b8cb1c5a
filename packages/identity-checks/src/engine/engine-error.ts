/** Reports that a configured engine cannot be used. The message names the problem and contains no personal data. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /**
   * `setting_invalid`: the setting names no engine. `not_installed`: its packages are missing. `manifest_invalid`,
   * `weights_unreadable` and `module_unusable`: the file is at fault. `answer_invalid`: it returned something else than an
   * answer. `score_invalid`: it returned a score that is not from 0 to 1. `refused`: it answered that it does not accept
   * such a request. `unavailable`: it could not be reached, failed or took too long; only this may pass by itself.
   */
  readonly code:
    | 'setting_invalid'
    | 'not_installed'
    | 'manifest_invalid'
    | 'weights_unreadable'
    | 'module_unusable'
    | 'answer_invalid'
    | 'score_invalid'
    | 'refused'
    | 'unavailable'

  constructor(code: EngineError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
