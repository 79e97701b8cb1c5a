import { AbortedError, ApiError, ConnectionError, type ErrorContext, VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import { type ClientOptions, type RequestOptions, VISIBLE_ASCII } from './client-options.ts'
import { type Clock, sleep, systemClock } from './clock.ts'
import { type Interruption, interruptible } from './interruption.ts'
import { createObserver, type Observer } from './observe.ts'
import { type Answer, type Pending, pending } from './pending.ts'
import { randomHex } from './random-hex.ts'
import { readJson, type Received } from './received.ts'
import { retryDelayMs } from './retry.ts'
import { addressOf, type Route } from './route.ts'

/** A body that is made anew for each try. */
export interface RequestBody {
  readonly contentType: string
  /** Whether a further try can send it again. */
  readonly replayable: boolean
  /** Stops what it reads where the try ends before, and ends the try where what it reads fails. */
  open(interruption: Pick<Interruption, 'signal' | 'abort'>): Promise<Blob | ReadableStream>
}

/** What a method of the client asks of the transport. */
export interface Exchange<Data> {
  readonly route: Route
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: RequestBody
  readonly accept?: string
  readonly options?: RequestOptions | undefined
  /** What is made of a success; default: its JSON. */
  readonly read?: (received: Received) => Data | Promise<Data>
}

/** Sends requests: tries again where that is safe, keeps the time limits, and fails with typed errors only. */
export interface Transport {
  readonly clock: Clock
  readonly random: () => number
  readonly streamUploads: boolean
  send<Data>(exchange: Exchange<Data>): Pending<Data>
}

const DEFAULTS = { timeoutMs: 60_000, tryTimeoutMs: 30_000, idleTimeoutMs: 15_000, maxRetries: 2 }
const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis

/** One try as it goes. */
interface Attempt {
  readonly context: ErrorContext
  readonly url: string
  readonly startedAtMs: number
  readonly idleTimeoutMs: number
  readonly observer: Observer | undefined
  response?: Response
}

/** @throws TypeError where the key or the address is missing */
export function createTransport(client: ClientOptions): Transport {
  const { apiKey, clock = systemClock, random = Math.random, streamUploads = !isBrowser() } = client
  if (!apiKey) throw new TypeError('apiKey is missing')
  const baseUrl = new URL(client.baseUrl).href.replace(/\/+$/, '')
  const send = (client.middleware ?? []).reduceRight(
    (next, wrap) => wrap(next),
    client.fetch ?? ((url, init) => fetch(url, init)),
  )

  async function run<Data>(exchange: Exchange<Data>): Promise<Answer<Data>> {
    const { route, options = {}, body } = exchange
    const url = addressOf({ ...exchange, baseUrl })
    const limit = (name: keyof typeof DEFAULTS): number => options[name] ?? client[name] ?? DEFAULTS[name]
    const [timeoutMs, tryTimeoutMs, idleTimeoutMs] = [
      limit('timeoutMs'),
      limit('tryTimeoutMs'),
      limit('idleTimeoutMs'),
    ]
    const maxRetries = body?.replayable === false ? 0 : limit('maxRetries')
    const deadlineMs = clock.nowMs() + timeoutMs
    const observer = createObserver(client, route, url)
    const idempotencyKey = route.method === 'POST' ? (options.idempotencyKey ?? randomHex()) : null
    // An empty one would be no header, and each try a request of its own.
    if (idempotencyKey !== null && !VISIBLE_ASCII.test(idempotencyKey))
      throw new TypeError('idempotencyKey must be visible ASCII characters')
    let failures = 0

    for (let attempts = 1; ; attempts += 1) {
      const context = { operation: route.operation, attempts, idempotencyKey }
      const startedAtMs = clock.nowMs()
      const attempt: Attempt = { context, url, startedAtMs, idleTimeoutMs, observer }
      const remainingMs = deadlineMs - startedAtMs
      const { signal } = options
      try {
        const answer = await interruptible(
          { context, signal, timeoutMs, tryTimeoutMs, remainingMs, clock },
          (interruption) => exchangeOnce(exchange, attempt, interruption),
        )
        report(attempt, { error: null, retryInMs: null })
        return answer
      } catch (error) {
        // Mistakes of the caller, as a body that is no JSON.
        if (!VaaniError.isInstance(error)) throw error
        if (!isStillRunning(error)) failures += 1
        const remainingMs = deadlineMs - clock.nowMs()
        const delayMs = retryDelayMs({ error, route, failures, maxRetries, remainingMs, random })
        report(attempt, { error, retryInMs: delayMs ?? null })
        if (delayMs === undefined) throw error
        await sleep({ delayMs, clock, signal }).catch((cause: unknown) => {
          throw new AbortedError({ ...context, cause })
        })
      }
    }
  }

  async function exchangeOnce<Data>(
    exchange: Exchange<Data>,
    attempt: Attempt,
    interruption: Interruption,
  ): Promise<Answer<Data>> {
    const { route, body, json, read = readJson<Data> } = exchange
    const { url, idleTimeoutMs } = attempt
    const { signal } = interruption
    const { attempts, idempotencyKey = null } = attempt.context
    // First, so that its sources are told whatever follows.
    const content = body ? await body.open(interruption) : json === undefined ? null : JSON.stringify(json)
    const headers = await headersOf(exchange, idempotencyKey)
    signal.throwIfAborted()
    attempt.observer?.request(attempts, headers)
    const response = await send(url, {
      method: route.method,
      headers,
      body: content,
      signal,
      redirect: 'manual',
      // Lets a body be sent while it is made.
      duplex: 'half',
    }).catch((cause: unknown) => {
      throw new ConnectionError({ ...attempt.context, cause })
    })
    attempt.response = response
    const requestId = response.headers.get('x-request-id')
    const context = { ...attempt.context, requestId }
    const received: Received = { response, context, interruption, idleTimeoutMs, clock }
    // The status tells enough where the text does not come.
    if (!response.ok) throw createApiError(received, await response.text().catch(() => ''))
    return {
      data: await read(received),
      status: response.status,
      headers: response.headers,
      requestId,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      attempts,
      idempotencyKey,
    }
  }

  async function headersOf(
    { options, body, json, accept = 'application/json' }: Exchange<unknown>,
    idempotencyKey: string | null,
  ): Promise<Readonly<Record<string, string>>> {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    if (!VISIBLE_ASCII.test(key)) throw new TypeError('apiKey must be one line of visible ASCII characters')
    const contentType = body ? body.contentType : json !== undefined && 'application/json'
    return {
      accept,
      ...lowerCased(client.headers),
      ...lowerCased(options?.headers),
      authorization: `Bearer ${key}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(contentType && { 'content-type': contentType }),
    }
  }

  function report(
    { context, response, startedAtMs, observer }: Attempt,
    outcome: { error: VaaniError | null; retryInMs: number | null },
  ): void {
    observer?.response({
      attempt: context.attempts,
      status: response?.status ?? null,
      requestId: response?.headers.get('x-request-id') ?? null,
      headers: response?.headers,
      durationMs: clock.nowMs() - startedAtMs,
      ...outcome,
    })
  }

  return { clock, random, streamUploads, send: (exchange) => pending(run(exchange)) }
}

/**
 * Headers that win over others whatever their case. A plain object, as `fetch` takes 4 µs longer for `Headers`.
 *
 * @throws TypeError where they cannot be sent
 */
const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  headers ? Object.fromEntries(new Headers(headers)) : {}

/** A wait for the first request with the same key is no failure; the total time bounds it. */
const isStillRunning = (error: VaaniError): boolean => ApiError.isInstance(error) && error.status === 409
