import { SpeechError } from '@vaani/speech'

/** A failure before the first sample, and whether the same request may succeed soon. */
export interface Refusal {
  readonly error: SpeechError
  readonly isRetryable: boolean
}

/** What a status means; others below 500 are a fault of the configuration. */
const MEANING: Readonly<Record<number, 'text' | 'busy' | 'passing'>> = {
  400: 'text',
  408: 'passing',
  409: 'passing',
  413: 'text',
  422: 'text',
  425: 'passing',
  429: 'busy',
}

/** Translates the status of a response. Its body stays unread, because servers quote the text and the key in it. */
export function toRefusal(status: number, retryAfterMs: number | undefined): Refusal {
  const meaning = MEANING[status] ?? (status >= 500 ? 'passing' : 'configuration')
  const message = `The speech server answered ${status}`
  if (meaning === 'text') return { error: new SpeechError('text_refused', message), isRetryable: false }
  // A server that says when to come back is busy, whatever its status.
  if (meaning === 'busy' || (status === 503 && retryAfterMs !== undefined)) {
    const options = retryAfterMs === undefined ? {} : { retryAfterMs }
    return { error: new SpeechError('engine_busy', message, options), isRetryable: true }
  }
  return { error: new SpeechError('engine_failed', message), isRetryable: meaning === 'passing' }
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3), and `Retry-After-Ms` of some vendors. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms')
  if (milliseconds !== null && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds)
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

const FIRST_DELAY_MS = 100

/**
 * Returns the delay before the next attempt: what the server asked for, else exponential with full jitter. Undefined if the
 * request must not be repeated.
 */
export function retryDelayMs(
  { error, isRetryable }: Refusal,
  options: { attempt: number; maxRetries: number; maxRetryDelayMs: number; random: () => number },
): number | undefined {
  const { attempt, maxRetries, maxRetryDelayMs, random } = options
  if (!isRetryable || attempt >= maxRetries) return undefined
  const asked = error.retryAfterMs
  if (asked !== undefined) return asked <= maxRetryDelayMs ? asked : undefined
  return random() * Math.min(maxRetryDelayMs, FIRST_DELAY_MS * 2 ** attempt)
}
