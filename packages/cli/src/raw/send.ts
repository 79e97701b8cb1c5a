import { causeCodeOf } from '../failure/cause-code.ts'
import { CliError, usageError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { failureOf } from './failure-of.ts'

export const DEFAULT_TIMEOUT_SECONDS = 60

export interface RawRequest {
  readonly method: 'GET' | 'POST'
  /** Path with its query, under the base URL. */
  readonly path: string
  /** Body in JSON. */
  readonly body?: string | undefined
  readonly idempotencyKey?: string
  /** Limit for the whole exchange, including the body of the response. */
  readonly timeoutMs: number
}

/** A response; disposing of it ends the connection. */
export interface Answer extends Disposable {
  readonly contentType: string
  /** Undefined if there is no body. Reading it rejects with a `CliError`. */
  readonly body: AsyncIterable<Uint8Array> | undefined
}

/**
 * Sends a request to the service. Does not follow redirects, which could take the key elsewhere, and does not retry.
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

  /** Returns the error for a connection that failed or took too long. */
  function failed(error: unknown): CliError {
    signal.throwIfAborted()
    if (error instanceof CliError) return error
    const facts = { idempotency_key: idempotencyKey ?? null, retryable: true }
    if (timeout.aborted)
      return new CliError(`${name}: no complete response within ${timeoutMs} ms`, {
        family: 'pending',
        code: 'timed_out',
        facts,
      })
    const reason = causeCodeOf(error)
    return new CliError(`${name}: no complete response${reason ? ` (${reason})` : ''}`, {
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

/** @throws CliError if the path leads outside the base URL, which would send the key elsewhere */
function addressOf(baseUrl: string, path: string): string {
  const url = path.startsWith('/') ? URL.parse(baseUrl + path) : null
  if (url === null || !url.href.startsWith(`${baseUrl}/`))
    throw usageError('the path must begin with / and stay under the base URL')
  return url.href
}
