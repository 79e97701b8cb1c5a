import { ApiError, TimeoutError, type VaaniError } from '../errors.ts'
import type { Route } from './route.ts'

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 8000
/** Spread over those who were all told to wait for the same time. */
const RETRY_AFTER_SPREAD_MS = 250

/** Statuses by which a server says that it did nothing. */
const REFUSALS: readonly number[] = [425, 429, 503]

/** The longest of `Retry-After` that is waited for; beyond it the caller decides. */
export const MAX_RETRY_AFTER_MS = 60_000

/**
 * How long to wait before the next try, with full jitter (between nothing and a bound that doubles); undefined: no
 * further try.
 */
export function retryDelayMs(options: {
  readonly error: VaaniError
  readonly route: Route
  /** Tries that have failed, this one included. */
  readonly failures: number
  readonly maxRetries: number
  readonly remainingMs: number
  readonly random: () => number
}): number | undefined {
  const { error, route, failures, maxRetries, remainingMs, random } = options
  const { status = 0, retryAfterMs }: Partial<ApiError> = ApiError.isInstance(error) ? error : {}
  const isHopeless =
    failures > maxRetries ||
    !error.retryable ||
    (route.retry === 'refused' && !REFUSALS.includes(status)) ||
    // The specification of streamed speech: reconnect once, then report the request id.
    (route.answer === 'pcm-stream' && status === 500 && failures > 1) ||
    (TimeoutError.isInstance(error) && error.limit === 'total') ||
    (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS)
  const delayMs =
    retryAfterMs === undefined
      ? random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1))
      : retryAfterMs + random() * RETRY_AFTER_SPREAD_MS
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
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const atMs = HTTP_DATE.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(atMs)) return undefined
  return Math.max(0, atMs - (Date.parse(headers.get('date') ?? '') || nowMs))
}
