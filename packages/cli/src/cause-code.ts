/** The system's word for why something failed, such as ECONNREFUSED: of the error, or of what caused it. */
export function causeCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return codeOf(error) ?? causeCodeOf(error.cause)
}

/** The code of the error itself. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
