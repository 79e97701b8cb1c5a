import type { ErrorContext, VaaniError } from '../errors.ts'
import type { Route } from './route.ts'

/** One attempt, unredacted: includes keys and ids. */
interface Try {
  readonly route: Route
  readonly url: string
  readonly context: ErrorContext
}

/** An attempt that is about to be sent. */
export interface SentTry extends Try {
  readonly headers: Readonly<Record<string, string>>
}

/** An attempt that has ended. */
export interface EndedTry extends Try {
  /** Undefined if there was no response. */
  readonly response?: Response
  readonly durationMs: number
  readonly error: VaaniError | null
  readonly retryInMs: number | null
}

/** Receives every attempt, unredacted; `createObserver` passes a redacted form on to hooks and loggers. */
export interface Observer {
  request(sent: SentTry): void
  response(ended: EndedTry): void
}

interface TryEvent {
  readonly operation: ErrorContext['operation']
  readonly method: string
  /** Path template with parameter names; without redaction, the full URL. */
  readonly path: string
  /** Starts at 1. */
  readonly attempt: number
}

export interface RequestEvent extends TryEvent {
  readonly headers: Readonly<Record<string, string>>
}

export interface ResponseEvent extends TryEvent {
  /** Null if there was no response. */
  readonly status: number | null
  readonly requestId: string | null
  readonly headers: Readonly<Record<string, string>>
  /** From sending to headers or failure. */
  readonly durationMs: number
  readonly error: VaaniError | null
  /** Delay until the next attempt; null if there is none. */
  readonly retryInMs: number | null
}

/** For example `console`. */
export interface Logger {
  debug(message: string, event: object): void
  warn(message: string, event: object): void
}

export interface ObserverOptions {
  /** Called before each attempt. */
  readonly onRequest?: (event: RequestEvent) => void
  /** Called after each attempt, even if it failed. */
  readonly onResponse?: (event: ResponseEvent) => void
  readonly logger?: Logger
  /** Whether to remove keys, ids and queries from events and logs; default true. */
  readonly redact?: boolean
}

/** Headers that never contain personal data, keys or secrets. */
const SHOWN =
  /^(accept|content-(type|length)|date|deprecation|idempot.*|link|ratelimit.*|retry-after|sunset|x-request-id)$/

/**
 * Creates an observer that reports every attempt to hooks and a logger. `Vaani` creates one from its options; a namespace alone
 * takes one as an option, so that only bundles that use it include it.
 *
 * @example
 * const calls = createCalls({ apiKey, baseUrl, observer: createObserver({ logger: console }) })
 */
export function createObserver(options: ObserverOptions): Observer {
  const { onRequest, onResponse, logger, redact = true } = options
  const eventOf = ({ route, url, context }: Try, headers: Iterable<[name: string, value: string]> = []) => ({
    operation: route.operation,
    method: route.method ?? 'GET',
    path: redact ? route.path : url,
    attempt: context.attempts,
    headers: Object.fromEntries(
      Array.from(headers, ([name, value]) => [name, redact && !SHOWN.test(name) ? '[redacted]' : value]),
    ),
  })
  return {
    request(sent) {
      const event = eventOf(sent, Object.entries(sent.headers))
      onRequest?.(event)
      logger?.debug('request', event)
    },
    response(ended) {
      const { response, durationMs, error, retryInMs } = ended
      const event = {
        ...eventOf(ended, response?.headers),
        status: response?.status ?? null,
        requestId: response?.headers.get('x-request-id') ?? null,
        durationMs,
        error,
        retryInMs,
      }
      onResponse?.(event)
      logger?.[error ? 'warn' : 'debug']('response', event)
    },
  }
}
