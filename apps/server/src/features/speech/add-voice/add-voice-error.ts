/** A voice cannot be added or listed. The message says why, for an operator; nothing was changed. */
export class AddVoiceError extends Error {
  override readonly name = 'AddVoiceError'
  readonly code = 'voice_not_added'
}

/** Returns the sentence that names what went wrong, with the code of a failed system call or connection. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // `fetch` hides the reason in the cause.
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
