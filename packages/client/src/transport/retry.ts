import type { TimeoutError, VaaniError } from '../errors.ts'
import type { Route } from './route.ts'

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8000
/** Spread over those who were all told to wait for the same time. */
const RETRY_AFTER_SPREAD_MS = 250

/** Statuses by which a server says that it did nothing. */
const REFUSALS: readonly unknown[] = [425, 429, 503]

/** The longest of `Retry-After` that is waited for; beyond it the caller decides. */
export const MAX_RETRY_AFTER_MS = 60_000

/** An error, and what some kinds of it say of a next try. */
export interface Failure extends Pick<VaaniError, 'retryable'> {
  readonly status?: number | null
  readonly retryAfterMs?: number | undefined
  readonly limit?: TimeoutError['limit']
}

/**
 * How long to wait before the next try, with full jitter (between nothing and a bound that doubles); undefined: no
 * further try.
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
    /** Tries that have failed, this one included. */
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
    // It may have been done, and has no idempotency key.
    (method === 'PATCH' && !REFUSALS.includes(status)) ||
    // The specification of streamed speech: reconnect once, then report the request id.
    (answer === 'pcm-stream' && status === 500 && failures > 1)
  const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1))
  const delayMs =
    (retryAfterMs ?? 0) + random() * (retryAfterMs === undefined ? backoffMs : RETRY_AFTER_SPREAD_MS)
  return isHopeless || delayMs >= remainingMs ? undefined : delayMs
}

/** As HTTP writes dates; `Date.parse` alone makes one of nearly any text with a number in it. */
const HTTP_DATE = /:\d\d GMT$/

/**
 * What a `Retry-After` header asks for, in milliseconds: seconds, or a date, which is read against the server's own
 * clock where it tells it.
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
