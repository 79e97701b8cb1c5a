/** An engine that an operator asked for can't be used. The message names what is missing, and holds no personal data. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  /** `not_installed`: its packages are not there. `manifest_invalid`, `weights_unreadable`: as they say. */
  readonly code: 'not_installed' | 'manifest_invalid' | 'weights_unreadable'

  constructor(code: EngineError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
