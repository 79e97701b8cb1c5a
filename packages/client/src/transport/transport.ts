import { ApiError, ConnectionError, type ErrorContext, VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import type { ClientOptions, Fetch, RequestOptions } from './client-options.ts'
import { type Clock, sleep, systemClock } from './clock.ts'
import { type Interruption, interruptible } from './interruption.ts'
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

/** What reads an answer needs to know of its try. */
export type Reading = Omit<Received, 'response'>

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
  /** In place of `fetch` and its middleware. What it throws is a mistake of the caller, a rejection none. */
  readonly connect?: (reading: Reading) => Fetch
  /** What is made of a success; default: its JSON. */
  readonly read?: (received: Received) => Data | Promise<Data>
}

/** Sends requests: tries again where that is safe, keeps the time limits, and fails with typed errors only. */
export interface Transport {
  readonly clock: Clock
  readonly random: () => number
  readonly streamUploads: boolean | undefined
  send<Data>(exchange: Exchange<Data>): Pending<Data>
}

const DEFAULTS = { timeoutMs: 60_000, tryTimeoutMs: 30_000, idleTimeoutMs: 15_000, maxRetries: 2 }

/** One try as it goes. */
interface Attempt {
  readonly route: Route
  readonly url: string
  readonly context: ErrorContext
  readonly startedAtMs: number
  readonly idleTimeoutMs: number
  response?: Response
}

/** @throws TypeError where the key or the address is missing */
export function createTransport(client: ClientOptions): Transport {
  const { apiKey, clock = systemClock, random = Math.random, streamUploads, observer } = client
  if (!apiKey) throw new TypeError('apiKey is missing')
  const baseUrl = new URL(client.baseUrl).href.replace(/\/+$/, '')
  const send = (client.middleware ?? []).reduceRight(
    (next, wrap) => wrap(next),
    client.fetch ?? ((url, init) => fetch(url, init)),
  )

  async function run<Data>(exchange: Exchange<Data>): Promise<Answer<Data>> {
    const { route, options = {}, body } = exchange
    const { signal } = options
    const { operation } = route
    const url = addressOf({ ...exchange, baseUrl })
    const limit = (name: keyof typeof DEFAULTS): number => options[name] ?? client[name] ?? DEFAULTS[name]
    const timeoutMs = limit('timeoutMs')
    const tryTimeoutMs = limit('tryTimeoutMs')
    const idleTimeoutMs = limit('idleTimeoutMs')
    const maxRetries = body?.replayable === false ? 0 : limit('maxRetries')
    const deadlineMs = clock.nowMs() + timeoutMs
    // An empty one would be no header, and each try a request of its own.
    const idempotencyKey =
      route.method === 'POST' ? visible('idempotencyKey', options.idempotencyKey ?? randomHex()) : null
    let failures = 0

    for (let attempts = 1; ; attempts += 1) {
      const context = { operation, attempts, idempotencyKey }
      const startedAtMs = clock.nowMs()
      const attempt: Attempt = { route, url, context, startedAtMs, idleTimeoutMs }
      const remainingMs = deadlineMs - startedAtMs
      try {
        return await interruptible(
          { context, signal, timeoutMs, tryTimeoutMs, remainingMs, clock },
          (interruption) => exchangeOnce(exchange, attempt, interruption),
        )
      } catch (error) {
        // Mistakes of the caller, as a body that is no JSON.
        if (!VaaniError.isInstance(error)) throw error
        if (!isStillRunning(error)) failures += 1
        const remainingMs = deadlineMs - clock.nowMs()
        const delayMs = retryDelayMs({ error, route, failures, maxRetries, remainingMs, random })
        report(attempt, error, delayMs ?? null)
        if (delayMs === undefined) throw error
        await sleep({ delayMs, clock, signal, context })
      }
    }
  }

  async function exchangeOnce<Data>(
    exchange: Exchange<Data>,
    attempt: Attempt,
    interruption: Interruption,
  ): Promise<Answer<Data>> {
    const { body, json, read = readJson<Data> } = exchange
    const { route, url, idleTimeoutMs } = attempt
    const { attempts, idempotencyKey = null } = attempt.context
    const { signal } = interruption
    // First, so that its sources are told whatever follows.
    const content = body ? await body.open(interruption) : json === undefined ? null : JSON.stringify(json)
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    const headers = headersOf(exchange, visible('apiKey', key), idempotencyKey)
    signal.throwIfAborted()
    observer?.request({ ...attempt, headers })
    const reading = { context: attempt.context, interruption, idleTimeoutMs, clock }
    const response = await (exchange.connect?.(reading) ?? send)(url, {
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
    const received: Received = { ...reading, response, context }
    // The status tells enough where the text does not come.
    if (!response.ok) throw createApiError(received, await response.text().catch(() => ''))
    const data = await read(received)
    signal.throwIfAborted()
    // Here, where the connection ends if the observer fails.
    report(attempt, null, null)
    return {
      data,
      status: response.status,
      headers: response.headers,
      requestId,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      attempts,
      idempotencyKey,
    }
  }

  function headersOf(
    { options, body, json, accept = 'application/json' }: Exchange<unknown>,
    key: string,
    idempotencyKey: string | null,
  ): Readonly<Record<string, string>> {
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

  function report(attempt: Attempt, error: VaaniError | null, retryInMs: number | null): void {
    observer?.response({ ...attempt, durationMs: clock.nowMs() - attempt.startedAtMs, error, retryInMs })
  }

  return { clock, random, streamUploads, send: (exchange) => pending(run(exchange)) }
}

/**
 * Headers that win over others whatever their case. A plain object, as `fetch` takes longer for `Headers`.
 *
 * @throws TypeError where they cannot be sent
 */
const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  headers ? Object.fromEntries(new Headers(headers)) : {}

/** @throws TypeError where it would be no header, without showing it */
function visible(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII characters`)
  return value
}

/** A wait for the first request with the same key is no failure; the total time bounds it. */
const isStillRunning = (error: VaaniError): boolean => ApiError.isInstance(error) && error.status === 409
