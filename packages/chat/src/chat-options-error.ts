/** Reports an invalid option of a provider. The message does not quote its value. */
export class ChatOptionsError extends Error {
  override readonly name = 'ChatOptionsError'
  /** Dot path of the option. */
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`)
    this.field = field
  }
}
