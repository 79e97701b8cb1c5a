import { ERRORS, isErrorCode } from '@vaani/contracts'

/** After this many attempts, the last response is the result. */
export const MAX_ATTEMPTS = 5
const FIRST_DELAY_SECONDS = 1
const MAX_DELAY_SECONDS = 300

/**
 * Returns after how many seconds to make a request again; null if its response is the result. A delay that the endpoint asks
 * for is kept to, within bounds; others double with every attempt.
 */
export function retryDelaySeconds(
  attempts: number,
  { status, body, retryAfterSeconds }: { status: number; body: Buffer; retryAfterSeconds: number | null },
): number | null {
  if (status < 400 || attempts >= MAX_ATTEMPTS || !isRetryable(body)) return null
  const delay = retryAfterSeconds ?? FIRST_DELAY_SECONDS * 2 ** (attempts - 1)
  return Math.min(MAX_DELAY_SECONDS, Math.max(FIRST_DELAY_SECONDS, delay))
}

function isRetryable(body: Buffer): boolean {
  const parsed: unknown = JSON.parse(body.toString())
  if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return false
  const { error } = parsed
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return isErrorCode(error.code) && ERRORS[error.code].retryable
}
