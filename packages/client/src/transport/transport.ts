import { AbortedError, ApiError, ConnectionError, type ErrorContext, VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import {
  type ClientOptions,
  type Fetch,
  readApiKey,
  type RequestOptions,
  VISIBLE_ASCII,
} from './client-options.ts'
import { type Clock, sleep, systemClock } from './clock.ts'
import { createInterruption, type Interruption } from './interruption.ts'
import { createObserver, type Observer } from './observe.ts'
import { type Answer, type Pending, pending } from './pending.ts'
import { createReceivedBody, type ReceivedBody } from './received-body.ts'
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
export interface Reading {
  readonly context: ErrorContext
  readonly interruption: Interruption
  readonly idleTimeoutMs: number
  readonly clock: Clock
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
  /** In place of `fetch` and its middleware. What it throws is a mistake of the caller, a rejection none. */
  readonly connect?: (reading: Reading) => Fetch
  /** What is made of a success; default: its JSON. */
  readonly read?: (body: ReceivedBody) => Data | Promise<Data>
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
  readonly startedAtMs: number
  response?: Response
}

/** @throws TypeError where the key or the address is missing */
export function createTransport(client: ClientOptions): Transport {
  const { clock = systemClock, random = Math.random, streamUploads = !isBrowser() } = client
  if (!client.apiKey) throw new TypeError('apiKey is missing')
  const baseUrl = new URL(client.baseUrl).href.replace(/\/+$/, '')
  const send = (client.middleware ?? []).reduceRight(
    (next, wrap) => wrap(next),
    client.fetch ?? ((url, init) => fetch(url, init)),
  )

  async function run<Data>(exchange: Exchange<Data>): Promise<Answer<Data>> {
    const { route, options } = exchange
    const url = addressOf({ ...exchange, baseUrl })
    const limit = (name: keyof typeof DEFAULTS): number => options?.[name] ?? client[name] ?? DEFAULTS[name]
    const maxRetries = exchange.body?.replayable === false ? 0 : limit('maxRetries')
    const deadlineMs = clock.nowMs() + limit('timeoutMs')
    const observer = createObserver(client, route, url)
    const idempotencyKey = route.method === 'POST' ? (options?.idempotencyKey ?? createKey()) : null
    // An empty one would be no header, and each try a request of its own.
    if (idempotencyKey !== null && !VISIBLE_ASCII.test(idempotencyKey))
      throw new TypeError('idempotencyKey must be visible ASCII characters')
    let failures = 0

    for (let attempts = 1; ; attempts += 1) {
      const context = { operation: route.operation, attempts, idempotencyKey }
      const attempt: Attempt = { context, startedAtMs: clock.nowMs() }
      try {
        return await tryOnce({ exchange, url, attempt, limit, deadlineMs, observer })
      } catch (error) {
        // Mistakes of the caller, as a body that is no JSON.
        if (!VaaniError.isInstance(error)) throw error
        if (!isStillRunning(error)) failures += 1
        const remainingMs = deadlineMs - clock.nowMs()
        const delayMs = retryDelayMs({ error, route, failures, maxRetries, remainingMs, random })
        report(observer, attempt, { error, retryInMs: delayMs ?? null })
        if (delayMs === undefined) throw error
        const { signal } = options ?? {}
        await sleep({ delayMs, clock, signal }).catch((cause: unknown) => {
          throw new AbortedError({ ...context, cause })
        })
      }
    }
  }

  async function tryOnce<Data>(options: {
    exchange: Exchange<Data>
    url: string
    attempt: Attempt
    limit: (name: keyof typeof DEFAULTS) => number
    deadlineMs: number
    observer: Observer | undefined
  }): Promise<Answer<Data>> {
    const { exchange, url, attempt, limit, deadlineMs, observer } = options
    const { context } = attempt
    const interruption = createInterruption({
      context,
      signal: exchange.options?.signal,
      tryTimeoutMs: limit('tryTimeoutMs'),
      remainingMs: deadlineMs - attempt.startedAtMs,
      timeoutMs: limit('timeoutMs'),
      clock,
    })
    const { signal } = interruption
    async function exchangeOnce(): Promise<Answer<Data>> {
      // First, so that its sources are told whatever follows.
      const body = await bodyOf(exchange, interruption)
      const headers = await headersOf(exchange, context.idempotencyKey)
      signal.throwIfAborted()
      observer?.request(context.attempts, headers)
      const init: RequestInit = {
        method: exchange.route.method,
        headers,
        signal,
        redirect: 'manual',
        ...body,
      }
      const reading = { context, interruption, idleTimeoutMs: limit('idleTimeoutMs'), clock }
      const response = await (exchange.connect?.(reading) ?? send)(url, init).catch((cause: unknown) => {
        throw new ConnectionError({ ...context, cause })
      })
      attempt.response = response
      const answered = { ...context, requestId: response.headers.get('x-request-id') }
      if (!response.ok) {
        // The status tells enough where the text does not come.
        const text = await response.text().catch(() => '')
        throw createApiError({ response, text, context: answered, nowMs: clock.nowMs() })
      }
      const received = createReceivedBody({ ...reading, response, context: answered })
      const data = await (exchange.read ?? readJson<Data>)(received)
      return {
        data,
        status: response.status,
        headers: response.headers,
        requestId: answered.requestId,
        replayed: response.headers.get('idempotent-replayed') === 'true',
        attempts: context.attempts,
        idempotencyKey: context.idempotencyKey ?? null,
      }
    }
    try {
      const answer = await interruption.race(exchangeOnce())
      report(observer, attempt, { error: null, retryInMs: null })
      return answer
    } catch (error) {
      // An upload may still go on, as where the server refused it by its headers.
      interruption.abort(error)
      throw error
    }
  }

  async function headersOf(
    { options, body, json, accept = 'application/json' }: Exchange<unknown>,
    idempotencyKey: string | null | undefined,
  ): Promise<Headers> {
    const headers = new Headers({ accept, ...client.headers, ...options?.headers })
    headers.set('authorization', `Bearer ${await readApiKey(client)}`)
    if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
    if (body) headers.set('content-type', body.contentType)
    else if (json !== undefined) headers.set('content-type', 'application/json')
    return headers
  }

  function report(
    observer: Observer | undefined,
    { context, response, startedAtMs }: Attempt,
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

/** `duplex` lets a body be sent while it is made. */
async function bodyOf(
  { body, json }: Exchange<unknown>,
  interruption: Interruption,
): Promise<Pick<RequestInit, 'body' | 'duplex'>> {
  if (!body) return json === undefined ? {} : { body: JSON.stringify(json) }
  const opened = await body.open(interruption)
  return opened instanceof ReadableStream ? { body: opened, duplex: 'half' } : { body: opened }
}

const readJson = async <Data>(body: ReceivedBody): Promise<Data> => (await body.json()) as Data

/** A wait for the first request with the same key is no failure; the total time bounds it. */
const isStillRunning = (error: VaaniError): boolean => ApiError.isInstance(error) && error.status === 409

/** 128 random bits; `crypto.randomUUID` is only there on secure origins. */
const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
