/** Reports that a configured engine cannot be used. The message names the problem and contains no personal data. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /**
   * `not_installed`: its packages are missing. `manifest_invalid` and `weights_unreadable`: the file is at fault.
   * `score_invalid`: it returned a score that is not from 0 to 1.
   */
  readonly code: 'not_installed' | 'manifest_invalid' | 'weights_unreadable' | 'score_invalid'

  constructor(code: EngineError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
