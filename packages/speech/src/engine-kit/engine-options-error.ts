/** In the global symbol registry, because an engine may bring a copy of this package of its own. */
const marker = Symbol.for('vaani.EngineOptionsError')

/**
 * An option of an engine is invalid. The message names the field but never contains its value. `instanceof` recognises those of other
 * copies too.
 */
export class EngineOptionsError extends Error {
  override readonly name = 'EngineOptionsError'
  readonly code = 'engine_options_invalid'
  /** Dot path of the field: `models.0.vits.model`. */
  readonly field: string

  constructor(field: string, problem: string, options?: ErrorOptions) {
    super(`${field}: ${problem}`, options)
    this.field = field
  }

  get [marker](): true {
    return true
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && marker in value
  }
}
