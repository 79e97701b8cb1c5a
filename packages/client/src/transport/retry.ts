import type { TimeoutError, VaaniError } from '../errors.ts'
import type { Route } from './route.ts'

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8000
/** Spreads out clients that all received the same `Retry-After`. */
const RETRY_AFTER_SPREAD_MS = 250

/** Statuses that mean that the server did nothing. */
const REFUSALS: readonly unknown[] = [425, 429, 503]

/** Longest `Retry-After` to wait for; after a longer one the request fails at once and the caller decides. */
export const MAX_RETRY_AFTER_MS = 60_000

/** An error, with the properties of some classes that affect retries. */
export interface Failure extends Pick<VaaniError, 'retryable'> {
  readonly status?: number | null
  readonly retryAfterMs?: number | undefined
  readonly limit?: TimeoutError['limit']
}

/**
 * Computes the delay before the next attempt, with full jitter (from 0 to a bound that doubles); returns undefined if there
 * should be no retry.
 */
export function retryDelayMs(
  { retryable, status, retryAfterMs, limit }: Failure,
  { method, answer }: Route,
  {
    failures,
    maxRetries,
    remainingMs,
    random,
  }: {
    /** Number of failed attempts, including this one. */
    readonly failures: number
    readonly maxRetries: number
    readonly remainingMs: number
    readonly random: () => number
  },
): number | undefined {
  const isHopeless =
    failures > maxRetries ||
    !retryable ||
    limit === 'total' ||
    (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS ||
    // The change may have been made, and PATCH has no idempotency key.
    (method === 'PATCH' && !REFUSALS.includes(status)) ||
    // Required by the specification of streamed speech: reconnect once, then report the request id.
    (answer === 'pcm-stream' && status === 500 && failures > 1)
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1))
  const delayMs =
    (retryAfterMs ?? 0) + random() * (retryAfterMs === undefined ? backoffMs : RETRY_AFTER_SPREAD_MS)
  return isHopeless || delayMs >= remainingMs ? undefined : delayMs
}

/** End of an HTTP date. Needed because `Date.parse` accepts nearly any text with a number in it. */
const HTTP_DATE = /:\d\d GMT$/

/**
 * Converts a `Retry-After` header to milliseconds. Compares a date with the server's own `Date` if there is one, or else with the
 * local clock.
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const delayMs = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - (Date.parse(headers.get('date') ?? '') || nowMs)
      : NaN
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs)
}
