import { causeCodeOf } from '../cause-code.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { Cli } from '../cli.ts'
import { failureOf } from './failure-of.ts'

export const DEFAULT_TIMEOUT_SECONDS = 60

export interface RawRequest {
  readonly method: 'GET' | 'POST'
  /** With its query, under the base URL. */
  readonly path: string
  /** JSON. */
  readonly body?: string | undefined
  readonly idempotencyKey?: string
  /** Of the whole, the body of the answer included. */
  readonly timeoutMs: number
}

/** Ends the connection when it is disposed of. */
export interface Answer extends Disposable {
  readonly contentType: string
  /** Rejects with a `CliError`; undefined if there is none. */
  readonly body: AsyncIterable<Uint8Array> | undefined
}

/**
 * Sends a request to the service. Follows no redirect, which could carry the key elsewhere, and does not try again.
 *
 * @throws CliError
 */
export async function send(cli: Cli, request: RawRequest): Promise<Answer> {
  const { environment, signal } = cli
  const { method, path, body, idempotencyKey, timeoutMs } = request
  const { apiKey, baseUrl } = await cli.credentials()
  const url = addressOf(baseUrl, path)
  const name = `${method} ${path}`
  const timeout = AbortSignal.timeout(timeoutMs)
  const left = new AbortController()

  /** The error for a connection that failed or took too long. */
  function failed(error: unknown): CliError {
    signal.throwIfAborted()
    if (error instanceof CliError) return error
    const facts = { idempotency_key: idempotencyKey ?? null, retryable: true }
    if (timeout.aborted)
      return new CliError(`${name}: no whole answer within ${timeoutMs} ms`, {
        family: 'pending',
        code: 'timed_out',
        facts,
      })
    const reason = causeCodeOf(error)
    return new CliError(`${name}: no whole answer came${reason ? ` (${reason})` : ''}`, {
      family: 'unavailable',
      code: 'connection_failed',
      facts,
      cause: error,
    })
  }
  async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      throw failed(error)
    }
  }

  try {
    const response = await (environment.fetch ?? fetch)(url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'user-agent': 'vaani-cli',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout, left.signal]),
      ...(body !== undefined && { body }),
    })
    if (!response.ok) throw await failureOf(response, { name, idempotencyKey })
    return {
      contentType: response.headers.get('content-type') ?? '',
      body: response.body === null ? undefined : read(response.body),
      [Symbol.dispose]: () => left.abort(),
    }
  } catch (error) {
    throw failed(error)
  }
}

/** @throws CliError for a path that leads elsewhere than under the base URL, which would get the key */
function addressOf(baseUrl: string, path: string): string {
  const url = path.startsWith('/') ? URL.parse(baseUrl + path) : null
  if (url === null || !url.href.startsWith(`${baseUrl}/`))
    throw usageError('the path must begin with / and stay under the base URL')
  return url.href
}
