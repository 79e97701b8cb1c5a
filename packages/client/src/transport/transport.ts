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

/** A body that is opened anew for each attempt. */
export interface RequestBody {
  readonly contentType: string
  /** Whether a retry can send it again. */
  readonly replayable: boolean
  /** Opens the body. If the attempt ends first, stops reading the sources; if a source fails, aborts the attempt. */
  open(attempt: Attempt): Promise<Blob | ReadableStream>
}

/** A request by a method of the client, and how to read its response. */
export interface Exchange<Data> {
  readonly route: Route
  /** Id in the path of the route. */
  readonly id?: unknown
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: RequestBody
  readonly accept?: string
  readonly options?: RequestOptions | undefined
  /** Replaces `fetch` and its middleware. A synchronous throw is a caller's mistake; a rejection is a `ConnectionError`. */
  readonly connect?: (attempt: Attempt, key: string) => Promise<Response>
  /** Reads a successful response; by default, as JSON. */
  read?: (received: Received) => Data | Promise<Data>
}

/** Sends requests: retries if that is safe, enforces the time limits, and converts failures to typed errors. */
export interface Transport {
  readonly clock: Clock
  readonly random: () => number
  readonly streamUploads: boolean | undefined
  send<Data>(exchange: Exchange<Data>): Pending<Data>
}

const DEFAULTS = { timeoutMs: 60_000, tryTimeoutMs: 30_000, idleTimeoutMs: 15_000, maxRetries: 2 }

/** @throws TypeError if the API key or the base URL is missing, or the URL is malformed */
export function createTransport(client: ClientOptions): Transport {
  // One long closure, because every form with named parts makes the bundle of each user larger.
  const { clock = systemClock, random = Math.random, streamUploads, observer, middleware = [] } = client
  const environment = globalThis.process?.env ?? {}
  const { apiKey = environment['VAANI_API_KEY'], baseUrl = environment['VAANI_BASE_URL'] ?? '' } = client
  if (!apiKey) throw new TypeError('apiKey is missing: set it or VAANI_API_KEY')
  // Require the scheme, because `localhost:8080` parses as a URL with the scheme `localhost`.
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
    // Refuse an empty key: it would not be sent, so each attempt would count as a new request.
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
          // A refusal stays a refusal even if its body does not arrive.
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
        // A caller's mistake, for example a body that cannot be serialized.
        if (!VaaniError.isInstance(error)) throw error
        // A 409 means waiting for the first request with the same key. It does not count as a failure; `timeoutMs` bounds the wait.
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
    // Open the body first, so that its sources are released whatever fails later.
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
        // Required by `fetch` for a streamed body.
        duplex: 'half',
      })
    let response: Response
    try {
      response = await sent
    } catch (cause) {
      throw new ConnectionError({ ...context, url: attempt.url, cause })
    }
    const received = Object.assign(attempt, { response })
    attempt.context = { ...context, requestId: response.headers.get('x-request-id') }
    if (!response.ok) throw createApiError(received, await readRefusal(received))
    const data = await (exchange.read ?? readJson<Data>)(received)
    signal.throwIfAborted()
    // Report inside the attempt, so that the connection ends if the observer throws.
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

/** Leaves the body to the caller, without a time limit. */
function leaveUnread<Data>({ stopTimer }: Received): Data {
  stopTimer()
  return undefined as Data
}

/**
 * Lower-cases header names, so that later headers override earlier ones whatever their case. Returns a plain object, which `fetch`
 * processes faster than `Headers`.
 *
 * @throws TypeError if a header is invalid
 */
const lowerCased = (headers: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  headers ? Object.fromEntries(new Headers(headers)) : {}

/** @throws TypeError if the value cannot be sent as a header; the message does not contain it */
function visible(name: string, value = ''): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} must be visible ASCII`)
  return value
}
