import { EngineError } from '../engine/engine-error.ts'
import { parseJson } from '../parse-json.ts'

/** A request that failed, and whether the same one may succeed soon. */
export class AttemptError extends Error {
  readonly error: EngineError
  readonly isRetryable: boolean
  /** Wait that the server asked for. */
  readonly retryAfterMs: number | undefined

  constructor(error: EngineError, options: { isRetryable: boolean; retryAfterMs?: number | undefined }) {
    super(error.message, { cause: error })
    this.error = error
    this.isRetryable = options.isRetryable
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Eight pictures of five faces with embeddings of 2048 numbers take 2 MB. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20
/** Statuses below 500 that may pass by themselves. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Sends one request, and returns the parsed JSON of its answer.
 *
 * @throws AttemptError; its messages contain nothing of the request or the answer
 */
export async function attempt(request: {
  url: string
  host: string
  headers: Readonly<Record<string, string>>
  body: string
  timeoutMs: number
  nowMs: () => number
  /** Aborts if nobody waits for the answer any more. */
  signal: AbortSignal
}): Promise<unknown> {
  const { url, host, headers, body, timeoutMs, nowMs, signal } = request
  const over = new AbortController()
  const onAbort = () => over.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    over.abort()
  }, timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      // A redirect would pass the pictures on to another server.
      redirect: 'manual',
      signal: over.signal,
    })
    if (response.status !== 200) throw toError(response, { host, nowMs: nowMs() })
    return parse(await readText(response, host), host)
  } catch (error) {
    if (error instanceof AttemptError) throw error
    // A repetition of a request that takes too long would take too long as well.
    throw isLate
      ? failed(`The engine at ${host} did not answer within ${timeoutMs} ms`, { isRetryable: false })
      : failed(`The connection to the engine at ${host} failed`, { isRetryable: true })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    // Closes the connection unless the answer was read to its end.
    over.abort()
  }
}

function toError(
  { status, headers }: Response,
  { host, nowMs }: { host: string; nowMs: number },
): AttemptError {
  const message = `The engine at ${host} answered ${status}`
  if (status >= 500 || PASSING.has(status))
    return failed(message, { isRetryable: true, retryAfterMs: readRetryAfterMs(headers, nowMs) })
  return new AttemptError(new EngineError('refused', message), { isRetryable: false })
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

async function readText({ body }: Response, host: string): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES)
      throw invalid(`The engine at ${host} sent more than ${MAX_ANSWER_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parse(text: string, host: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw invalid(`The engine at ${host} sent an answer that is not JSON`)
  }
}

const failed = (
  message: string,
  options: { isRetryable: boolean; retryAfterMs?: number | undefined },
): AttemptError => new AttemptError(new EngineError('unavailable', message), options)

const invalid = (message: string): AttemptError =>
  new AttemptError(new EngineError('answer_invalid', message), { isRetryable: false })
