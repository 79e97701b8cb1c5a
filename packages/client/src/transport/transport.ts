import { ConnectionError, TimeoutError, VaaniError } from '../errors.ts'
import { createApiError } from './api-error.ts'
import type { Attempt, PlannedAttempt, Received } from './attempt.ts'
import { bounded, sleep } from './bounded.ts'
import type { ClientOptions, RequestOptions } from './client-options.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Answered, type Pending, pending } from './pending.ts'
import { randomText } from './random-text.ts'
import { readJson, readRefusal } from './read-json.ts'
import { type Failure, retryDelayMs } from './retry.ts'
import { addressOf, type Route } from './route.ts'

/** A body that is made anew for each try. */
export interface RequestBody {
  readonly contentType: string
  /** Whether a further try can send it again. */
  readonly replayable: boolean
  /** Stops what it reads if the try ends before, and ends the try if what it reads fails. */
  open(attempt: Attempt): Promise<Blob | ReadableStream>
}

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
  readonly connect?: (attempt: Attempt, key: string) => Promise<Response>
  /** What is made of a success; default: its JSON. */
  read?: (received: Received) => Data | Promise<Data>
}

/** Sends requests: tries again where that is safe, keeps the time limits, and fails with typed errors only. */
export interface Transport {
  readonly clock: Clock
  readonly random: () => number
  readonly streamUploads: boolean | undefined
  send<Data>(exchange: Exchange<Data>): Pending<Data>
}

const DEFAULTS = { timeoutMs: 60_000, tryTimeoutMs: 30_000, idleTimeoutMs: 15_000, maxRetries: 2 }

/** @throws TypeError if the key or the address is missing */
export function createTransport(client: ClientOptions): Transport {
  const { clock = systemClock, random = Math.random, streamUploads, observer, middleware = [] } = client
  const environment = globalThis.process?.env ?? {}
  const { apiKey = environment['VAANI_API_KEY'], baseUrl = environment['VAANI_BASE_URL'] ?? '' } = client
  if (!apiKey) throw new TypeError('apiKey is missing: set it or VAANI_API_KEY')
  // `localhost:8080` alone is an address of the scheme `localhost`.
  if (!/^https?:\/\/[^\s?#@]+$/i.test(baseUrl))
    throw new TypeError('baseUrl must be like http://localhost:8080: set it or VAANI_BASE_URL')
  const root = new URL(baseUrl).href.replace(/\/+$/, '')
  const send = middleware.reduceRight(
    (next, wrap) => wrap(next),
    client.fetch ?? ((url, init) => fetch(url, init)),
  )

  async function run<Data>(exchange: Exchange<Data>): Promise<Answered<Data>> {
    const { route, options = {}, body } = exchange
    const { signal } = options
    const limit = (name: keyof typeof DEFAULTS): number => options[name] ?? client[name] ?? DEFAULTS[name]
    const timeoutMs = limit('timeoutMs')
    const tryTimeoutMs = limit('tryTimeoutMs')
    const deadlineMs = clock.nowMs() + timeoutMs
    const maxRetries = body?.replayable === false ? 0 : limit('maxRetries')
    const url = addressOf(root, exchange)
    // An empty one would be no header, and each try a request of its own.
    const idempotencyKey =
      route.method === 'POST' ? visible('idempotencyKey', options.idempotencyKey ?? randomText()) : null

    for (let attempts = 1, failures = 0; ; attempts += 1) {
      const startedAtMs = clock.nowMs()
      const context = { operation: route.operation, attempts, idempotencyKey }
      let attempt: PlannedAttempt = {
        route,
        url,
        context,
        clock,
        startedAtMs,
        idleTimeoutMs: limit('idleTimeoutMs'),
      }
      const remainingMs = deadlineMs - startedAtMs
      const isLast = remainingMs < tryTimeoutMs
      const onTime = (late: Attempt): void => {
        const { response } = late
        late.abort(
          // A refusal whose body does not come is still one.
          response?.ok === false
            ? createApiError({ ...late, response }, '')
            : new TimeoutError({
                ...late.context,
                status: response?.status ?? null,
                limit: isLast ? 'total' : 'try',
                timeoutMs: isLast ? timeoutMs : tryTimeoutMs,
              }),
        )
      }
      const work = (begun: Attempt): Promise<Answered<Data>> => {
        attempt = begun
        return exchangeOnce(exchange, begun)
      }
      try {
        return await bounded(attempt, signal, isLast ? remainingMs : tryTimeoutMs, onTime, work)
      } catch (error) {
        // Mistakes of the caller, as a body that is no JSON.
        if (!VaaniError.isInstance(error)) throw error
        // A wait for the first request with the same key is no failure; the total time bounds it.
        const { status }: Failure = error
        if (status !== 409) failures += 1
        const remainingMs = deadlineMs - clock.nowMs()
        const delayMs = retryDelayMs(error, route, { failures, maxRetries, remainingMs, random })
        report(attempt, error, delayMs ?? null)
        if (delayMs === undefined) throw error
        await sleep(clock, context, signal, delayMs)
      }
    }
  }

  async function exchangeOnce<Data>(exchange: Exchange<Data>, attempt: Attempt): Promise<Answered<Data>> {
    const { route, options, body, json, accept = 'application/json' } = exchange
    const { context, signal } = attempt
    // First, so that its sources are told whatever follows.
    const content = body ? await body.open(attempt) : json === undefined ? null : JSON.stringify(json)
    const key = visible('apiKey', typeof apiKey === 'function' ? await apiKey() : apiKey)
    const headers = {
      accept,
      ...lowerCased(client.headers),
      ...lowerCased(options?.headers),
      authorization: `Bearer ${key}`,
      ...(context.idempotencyKey && { 'idempotency-key': context.idempotencyKey }),
      ...(content !== null && { 'content-type': body?.contentType ?? 'application/json' }),
    }
    signal.throwIfAborted()
    observer?.request({ ...attempt, headers })
    const sent =
      exchange.connect?.(attempt, key) ??
      send(attempt.url, {
        method: route.method ?? 'GET',
        headers,
        body: content,
        signal,
        redirect: 'manual',
        // Lets a body be sent while it is made.
        duplex: 'half',
      })
    let response: Response
    try {
      response = await sent
    } catch (cause) {
      throw new ConnectionError({ ...context, cause })
    }
    const received = Object.assign(attempt, { response })
    attempt.context = { ...context, requestId: response.headers.get('x-request-id') }
    if (!response.ok) throw createApiError(received, await readRefusal(received))
    const data = await (exchange.read ?? readJson<Data>)(received)
    signal.throwIfAborted()
    // Here, where the connection ends if the observer fails.
    report(attempt, null, null)
    return Object.assign(received, { data })
  }

  function report(attempt: PlannedAttempt, error: VaaniError | null, retryInMs: number | null): void {
    observer?.response({ ...attempt, durationMs: clock.nowMs() - attempt.startedAtMs, error, retryInMs })
  }

  return {
    clock,
    random,
    streamUploads,
    send<Data>(exchange: Exchange<Data>) {
      const own = { ...exchange }
      return pending(run(own), () => (own.read = leaveUnread<Data>))
    },
  }
}

/** The caller reads the body, and nobody the data. */
function leaveUnread<Data>({ stopTimer }: Received): Data {
  stopTimer()
  return undefined as Data
}

/**
 * Headers that win over others whatever their case. A plain object, as `fetch` takes longer for `Headers`.
 *
 * @throws TypeError if they cannot be sent
 */
const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  headers ? Object.fromEntries(new Headers(headers)) : {}

/** @throws TypeError if it cannot be sent as a header, without showing it */
function visible(name: string, value = ''): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII`)
  return value
}
