/** An option of an engine is invalid. The message names the field but never contains its value. */
export class EngineOptionsError extends Error {
  override readonly name = 'EngineOptionsError'
  readonly code = 'engine_options_invalid'
  /** Dot path of the field: `models.0.vits.model`. */
  readonly field: string

  constructor(field: string, problem: string, options?: ErrorOptions) {
    super(`${field}: ${problem}`, options)
    this.field = field
  }
}
