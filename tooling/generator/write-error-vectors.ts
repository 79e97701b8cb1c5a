import { type ErrorCode, ERRORS } from '@vaani/contracts'

/** Writes the vectors of `interop/error-codes.json`, one code a line. */
export function writeErrorVectors(codes: readonly ErrorCode[]): string {
  const rows = codes.map((code) => {
    const { status, type, retryable } = ERRORS[code]
    return JSON.stringify({ code, status, type, retryable })
  })
  return `[${rows.join(',\n')}]`
}
