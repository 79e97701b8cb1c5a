import { ApiError, ConnectionError, type ErrorContext, VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import type { ClientOptions, Fetch, RequestOptions } from './client-options.ts'
import { type Clock, sleep, systemClock } from './clock.ts'
import { type Interruption, interruptible } from './interruption.ts'
import { type Answer, type Pending, pending } from './pending.ts'
import { randomText } from './random-text.ts'
import { readJson, readRefusal } from './read-json.ts'
import type { Received } from './received.ts'
import { retryDelayMs } from './retry.ts'
import { addressOf, type Route } from './route.ts'

/** A body that is made anew for each try. */
export interface RequestBody {
  readonly contentType: string
  /** Whether a further try can send it again. */
  readonly replayable: boolean
  /** Stops what it reads where the try ends before, and ends the try where what it reads fails. */
  open(reading: Reading): Promise<Blob | ReadableStream>
}

/** What reads an answer needs to know of its try. */
export type Reading = Omit<Received, 'response'>

/** What a method of the client asks of the transport. */
export interface Exchange<Data> {
  readonly route: Route
  /** The one that is in the path of the route. */
  readonly id?: unknown
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
  /** Whether the body is the caller's to read. */
  isUnread?: boolean
}

/** Sends requests: tries again where that is safe, keeps the time limits, and fails with typed errors only. */
export interface Transport {
  readonly clock: Clock
  readonly random: () => number
  readonly streamUploads: boolean | undefined
  send<Data>(exchange: Exchange<Data>): Pending<Data>
}

const DEFAULTS = { timeoutMs: 60_000, tryTimeoutMs: 30_000, idleTimeoutMs: 15_000, maxRetries: 2 }

type Whole<Data> = Answer<Data> & { readonly response: Response }

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
  const { clock = systemClock, random = Math.random, streamUploads, observer } = client
  const apiKey = given('apiKey', client.apiKey, 'VAANI_API_KEY')
  const baseUrl = readBaseUrl(given('baseUrl', client.baseUrl, 'VAANI_BASE_URL'))
  const send = (client.middleware ?? []).reduceRight(
    (next, wrap) => wrap(next),
    client.fetch ?? ((url, init) => fetch(url, init)),
  )

  async function run<Data>(exchange: Exchange<Data>): Promise<Whole<Data>> {
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
      route.method === 'POST' ? visible('idempotencyKey', options.idempotencyKey ?? randomText()) : null
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
  ): Promise<Whole<Data>> {
    const { body, json, read = readJson<Data> } = exchange
    const { route, url, idleTimeoutMs } = attempt
    const { attempts, idempotencyKey = null } = attempt.context
    const { signal } = interruption
    // First, so that its sources are told whatever follows.
    const reading = { route, context: attempt.context, interruption, idleTimeoutMs, clock }
    const content = body ? await body.open(reading) : json === undefined ? null : JSON.stringify(json)
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    const headers = headersOf(exchange, visible('apiKey', key), idempotencyKey)
    signal.throwIfAborted()
    observer?.request({ ...attempt, headers })
    const response = await (exchange.connect?.(reading) ?? send)(url, {
      method: route.method ?? 'GET',
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
    const { ok, status } = response
    interruption.answered(context, status, ok ? undefined : () => createApiError(received, ''))
    if (!ok) throw createApiError(received, await readRefusal(received))
    if (exchange.isUnread) interruption.stopTimer()
    const data = exchange.isUnread ? (undefined as Data) : await read(received)
    signal.throwIfAborted()
    // Here, where the connection ends if the observer fails.
    report(attempt, null, null)
    return {
      data,
      response,
      status,
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

  return {
    clock,
    random,
    streamUploads,
    send(exchange) {
      const own = { ...exchange }
      return pending(run(own), () => (own.isUnread = true))
    },
  }
}

/**
 * Headers that win over others whatever their case. A plain object, as `fetch` takes longer for `Headers`.
 *
 * @throws TypeError where they cannot be sent
 */
const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  headers ? Object.fromEntries(new Headers(headers)) : {}

/** @throws TypeError if neither the caller nor the environment has it */
function given<Value>(name: string, value: Value | undefined, variable: string): Value | string {
  const found = value ?? globalThis.process?.env?.[variable]
  if (!found) throw new TypeError(`${name} is missing: set it or ${variable}`)
  return found
}

/** @throws TypeError if requests could not be sent there */
function readBaseUrl(address: string): string {
  // `localhost:8080` alone is an address of the scheme `localhost`.
  if (!/^https?:\/\/[^\s?#@]+$/i.test(address))
    throw new TypeError('baseUrl must be as https://example.com or http://localhost:8080')
  return new URL(address).href.replace(/\/+$/, '')
}

/** @throws TypeError where it would be no header, without showing it */
function visible(name: string, value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII characters`)
  return value
}

/** A wait for the first request with the same key is no failure; the total time bounds it. */
const isStillRunning = (error: VaaniError): boolean => ApiError.isInstance(error) && error.status === 409
