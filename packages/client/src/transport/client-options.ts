import type { Clock } from './clock.ts'
import type { Observer } from './observer.ts'

/** As the global `fetch`, called with an address and its options. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Wraps every try. @example const trace: Middleware = (next) => (url, init) => span(() => next(url, init)) */
export type Middleware = (next: Fetch) => Fetch

export interface ClientOptions {
  /** An API key, or what gives one for each try, such as a token that is renewed; default: `VAANI_API_KEY` of the environment. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** Where the service is, as in `https://vaani.example.com`; default: `VAANI_BASE_URL` of the environment. */
  readonly baseUrl?: string | undefined
  /** Limit of a whole request, waits between its tries included; default 60 000. Of a stream: until it begins. */
  readonly timeoutMs?: number
  /** Limit of one try; default 30 000. */
  readonly tryTimeoutMs?: number
  /**
   * How long a stream may bring nothing, or an upload may stand still; default 15 000. The time in which nobody reads does not
   * count.
   */
  readonly idleTimeoutMs?: number
  /** Further tries where they are safe; default 2, none with 0. */
  readonly maxRetries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: Fetch
  /** The first is the outermost. */
  readonly middleware?: readonly Middleware[]
  /** Told of each try, as by `createObserver({ logger: console })`. */
  readonly observer?: Observer
  /** Whether uploads are sent while they are read; default: everywhere but in browsers, which need HTTP/2 for it. */
  readonly streamUploads?: boolean
  /** For tests. */
  readonly clock?: Clock
  /** From 0 to below 1, for the jitter; default `Math.random`. */
  readonly random?: () => number
}

/** What one request may have otherwise than its client. */
export interface RequestOptions extends Pick<
  ClientOptions,
  'timeoutMs' | 'tryTimeoutMs' | 'idleTimeoutMs' | 'maxRetries' | 'headers'
> {
  /** Ends the request at once, wherever it is: sending, waiting to try again, or reading a stream. */
  readonly signal?: AbortSignal | undefined
  /** In place of a random one, to go on with a request of an earlier process: visible ASCII characters. */
  readonly idempotencyKey?: string
}
