/** Returns the system's code for a failure, such as ECONNREFUSED, from the error or its causes. */
export function causeCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return codeOf(error) ?? causeCodeOf(error.cause)
}

/** Returns the code of the error itself. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
