import type { AttemptError, DeliveryAttempt } from '@vaani/contracts'
import { type Dispatcher, request } from 'undici'
import type { Clock } from '../clock.ts'
import { readRetryAfter } from './judge-attempt.ts'

/** An attempt, and how long the receiver asked to wait. */
export interface SentAttempt {
  attempt: DeliveryAttempt
  retryAfterMs: number | null
}

export interface AttemptRequest {
  url: string
  body: string
  headers: Readonly<Record<string, string>>
}

/** From the dial to the end of the answer. */
const WHOLE_TIMEOUT_MS = 15_000
const EXCERPT_BYTES = 2048
/** Beyond this the connection is closed: reading on would cost more than dialling again. */
const READ_BYTES = 65_536

/** Makes one attempt. Never throws: what went wrong is in the attempt. */
export async function sendAttempt(options: {
  dispatcher: Dispatcher
  clock: Clock
  request: AttemptRequest
}): Promise<SentAttempt> {
  const { dispatcher, clock, request: sent } = options
  const at = new Date(clock.nowMs()).toISOString()
  const startMs = performance.now()
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), WHOLE_TIMEOUT_MS)
  const done = (part: Pick<DeliveryAttempt, 'status' | 'error' | 'response_excerpt'>): DeliveryAttempt => ({
    at,
    duration_ms: Math.round((performance.now() - startMs) * 10) / 10,
    ...part,
  })
  try {
    const { statusCode, headers, body } = await request(sent.url, {
      dispatcher,
      method: 'POST',
      headers: sent.headers,
      body: sent.body,
      signal: abort.signal,
    })
    const response_excerpt = await readExcerpt(body)
    const retryAfter = headers['retry-after']
    return {
      attempt: done({ status: statusCode, error: null, response_excerpt }),
      retryAfterMs: readRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, clock.nowMs()),
    }
  } catch (error) {
    const code = abort.signal.aborted ? 'timeout' : classify(error)
    return { attempt: done({ status: null, error: code, response_excerpt: null }), retryAfterMs: null }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The first bytes of an answer as text. The status is the answer: what becomes of the body after it changes nothing,
 * so one that breaks off is as good as one that ends.
 */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const excerpt: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length < EXCERPT_BYTES) excerpt.push(chunk.subarray(0, EXCERPT_BYTES - length))
      length += chunk.length
      if (length > READ_BYTES) break
    }
  } catch {
    // Told by the status alone, see above.
  }
  return length === 0 ? null : toText(Buffer.concat(excerpt))
}

/** Text that a database takes, without what looks like a secret of ours, as a receiver may echo its settings. */
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

/** Several addresses were tried: the first error stands for them. */
function classify(error: unknown): AttemptError {
  if (error instanceof AggregateError && error.errors.length > 0) return classify(error.errors[0])
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = ERRORS_BY_CODE[code]
  if (known !== undefined) return known
  return /^ERR_(TLS|SSL)_/.test(code) ? 'tls_failed' : 'network_error'
}
