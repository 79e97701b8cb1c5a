import type { Clock } from './clock.ts'
import type { Observer } from './observer.ts'

/** Like the global `fetch`, called with a URL and options. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Wraps every attempt. @example const trace: Middleware = (next) => (url, init) => span(() => next(url, init)) */
export type Middleware = (next: Fetch) => Fetch

export interface ClientOptions {
  /**
   * API key, or a function that returns one for each attempt, for example a renewed token; default: the environment variable
   * `VAANI_API_KEY`.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** URL of the service, for example `https://vaani.example.com`; default: the environment variable `VAANI_BASE_URL`. */
  readonly baseUrl?: string | undefined
  /** Limit for a whole request, including the waits between attempts; default 60 000. For a stream, until it starts. */
  readonly timeoutMs?: number
  /** Limit for one attempt; default 30 000. */
  readonly tryTimeoutMs?: number
  /**
   * Longest time without progress of a stream or an upload; default 15 000. While the caller does not read, the time does not
   * count.
   */
  readonly idleTimeoutMs?: number
  /** Maximum number of retries, which are made only if they are safe; default 2. */
  readonly maxRetries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: Fetch
  /** The first one is the outermost. */
  readonly middleware?: readonly Middleware[]
  /** Receives every attempt, for example `createObserver({ logger: console })`. */
  readonly observer?: Observer
  /** Whether to send uploads while reading them; default: true except in browsers, which need HTTP/2 for it. */
  readonly streamUploads?: boolean
  /** For tests. */
  readonly clock?: Clock
  /** Returns a number from 0 to below 1 for the jitter; default `Math.random`. */
  readonly random?: () => number
}

/** Options of one request, which override those of the client. */
export interface RequestOptions extends Pick<
  ClientOptions,
  'timeoutMs' | 'tryTimeoutMs' | 'idleTimeoutMs' | 'maxRetries' | 'headers'
> {
  /** Ends the request at once in any phase: while sending, waiting for a retry, or reading a stream. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the random key, to retry a request of an earlier process. Visible ASCII characters. */
  readonly idempotencyKey?: string
}
