import type { AttemptError, DeliveryAttempt } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Dispatcher } from 'undici'
import { readRetryAfter } from '../../rules/judge-attempt.ts'

/** An attempt, and the delay that the receiver asked for with `Retry-After`. */
export interface SentAttempt {
  attempt: DeliveryAttempt
  retryAfterMs: number | null
}

export interface AttemptRequest {
  url: string
  body: string
  headers: Readonly<Record<string, string>>
}

/** From dialling to the end of the response. */
const WHOLE_TIMEOUT_MS = 15_000
const EXCERPT_BYTES = 2048
/** Longer response bodies close the connection, because reading on costs more than dialling again. */
const READ_BYTES = 65_536

/** Aborts a response after enough bytes or enough time. */
const ENOUGH = new Error('Enough of the response was read')

/**
 * Makes one attempt. Never rejects: the attempt contains the error. Only the status counts, so a response body that breaks
 * off or never ends does not fail the attempt.
 *
 * Uses `dispatch` instead of `request`, because `request` creates a stream for each response, which costs as much as sending.
 */
export function sendAttempt(options: {
  dispatcher: Dispatcher
  clock: Clock
  request: AttemptRequest
  /** Whether to return the beginning of the response. */
  keepExcerpt: boolean
}): Promise<SentAttempt> {
  const { dispatcher, clock, request, keepExcerpt } = options
  const at = new Date(clock.nowMs()).toISOString()
  const startMs = performance.now()
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let status: number | null = null
    let retryAfterMs: number | null = null
    const excerpt: Buffer[] = []
    let length = 0
    let isOver = false

    function end(error: AttemptError | null): void {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      controller?.abort(ENOUGH)
      const duration_ms = Math.round((performance.now() - startMs) * 10) / 10
      const response_excerpt = length === 0 || !keepExcerpt ? null : toText(Buffer.concat(excerpt))
      // With a status, errors in the body do not matter; without one, there was no response.
      const outcome = status === null ? (error ?? 'network_error') : null
      resolve({ attempt: { at, status, duration_ms, error: outcome, response_excerpt }, retryAfterMs })
    }

    const timer = setTimeout(() => end('timeout'), WHOLE_TIMEOUT_MS)
    const url = URL.parse(request.url)
    if (url === null) return end('destination_refused')
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: request.headers,
        body: request.body,
      },
      {
        onRequestStart(started) {
          controller = started
          if (isOver) started.abort(ENOUGH)
        },
        onResponseStart(_, statusCode, headers) {
          // 1xx responses precede the final one.
          if (statusCode < 200) return
          status = statusCode
          const header = headers['retry-after']
          retryAfterMs = readRetryAfter(typeof header === 'string' ? header : undefined, clock.nowMs())
        },
        onResponseData(_, chunk) {
          if (length < EXCERPT_BYTES) excerpt.push(Buffer.from(chunk.subarray(0, EXCERPT_BYTES - length)))
          length += chunk.length
          if (length > READ_BYTES) end(null)
        },
        onResponseEnd() {
          controller = undefined
          end(null)
        },
        onResponseError(_, error) {
          end(classify(error))
        },
      },
    )
  })
}

/** Makes text that Postgres accepts, and redacts webhook secrets, because a receiver may echo its settings. */
function toText(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll('\0', '\u{fffd}')
    .replaceAll(/whsec_[\w+/=-]+/g, 'whsec_…')
}

const ERRORS_BY_CODE: Readonly<Record<string, AttemptError>> = {
  destination_refused: 'destination_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'connect_timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  ENODATA: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  EREFUSED: 'dns_failed',
  EPROTO: 'tls_failed',
  CERT_HAS_EXPIRED: 'tls_failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_failed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_failed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_failed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_failed',
}

/** Maps an error to its code. If several addresses were tried, the first error counts. */
function classify(error: unknown): AttemptError {
  if (error instanceof AggregateError && error.errors.length > 0) return classify(error.errors[0])
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = ERRORS_BY_CODE[code]
  if (known !== undefined) return known
  return /^ERR_(TLS|SSL)_/.test(code) ? 'tls_failed' : 'network_error'
}
