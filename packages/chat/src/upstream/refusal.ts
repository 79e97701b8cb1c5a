import { ChatError } from '../chat-error.ts'
import { UpstreamError, type UpstreamFault } from './upstream-error.ts'

/** A failure before the first byte of an answer, and whether the same request may succeed soon. */
export interface Refusal {
  readonly error: ChatError
  readonly isRetryable: boolean
}

/** What a status means; others below 500 are a fault of the configuration. */
const MEANING: Readonly<Record<number, 'request' | 'busy' | 'passing'>> = {
  400: 'request',
  408: 'passing',
  409: 'passing',
  413: 'request',
  422: 'request',
  425: 'passing',
  429: 'busy',
}
/** Answered with 429, but waiting does not help. */
const OUT_OF_QUOTA = 'insufficient_quota'
/** Words that are handed on to the caller. Anything else might be a sentence. */
const WORD = /^[\w.-]{1,64}$/
const PATH = /^[\w.[\]-]{1,200}$/

/** Translates the status of a response and what its body says. */
export function toRefusal(status: number, fault: UpstreamFault, retryAfterMs: number | undefined): Refusal {
  const cause = new UpstreamError(status, fault)
  const meaning = MEANING[status] ?? (status >= 500 ? 'passing' : 'configuration')
  const message = `The server of the model answered ${status}`
  if (meaning === 'request') {
    const reason = matching(WORD, fault.code ?? fault.type)
    const options = { param: matching(PATH, fault.param), reason, cause }
    return { error: new ChatError('request_refused', message, options), isRetryable: false }
  }
  // A server that says when to come back is busy, whatever its status.
  if (meaning === 'busy' || (status >= 500 && retryAfterMs !== undefined))
    return {
      error: new ChatError('provider_busy', message, { retryAfterMs, cause }),
      isRetryable: fault.code !== OUT_OF_QUOTA && fault.type !== OUT_OF_QUOTA,
    }
  return { error: new ChatError('provider_failed', message, { cause }), isRetryable: meaning === 'passing' }
}

const matching = (pattern: RegExp, text: string | undefined): string | undefined =>
  text !== undefined && pattern.test(text) ? text : undefined

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3), and `Retry-After-Ms` of some vendors. */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = headers['retry-after-ms']
  if (typeof milliseconds === 'string' && NUMBER.test(milliseconds)) return Number(milliseconds)
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  if (NUMBER.test(value)) return Number(value) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

const NUMBER = /^\d{1,9}(\.\d+)?$/
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
