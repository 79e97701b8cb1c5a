import type { ErrorContext, VaaniError } from '../errors.ts'
import type { Route } from './route.ts'

/** One try of a request, with all that is in it: keys and ids too. */
interface Try {
  readonly route: Route
  readonly url: string
  readonly context: ErrorContext
}

/** A try that is about to be sent. */
export interface SentTry extends Try {
  readonly headers: Readonly<Record<string, string>>
}

/** A try that is over. */
export interface EndedTry extends Try {
  /** Undefined where no answer came. */
  readonly response?: Response
  readonly durationMs: number
  readonly error: VaaniError | null
  readonly retryInMs: number | null
}

/** Is told of each try, as it is; `createObserver` tells others what may be shown of it. */
export interface Observer {
  request(sent: SentTry): void
  response(ended: EndedTry): void
}

interface TryEvent {
  readonly operation: ErrorContext['operation']
  readonly method: string
  /** With the names of its parameters; where redaction is off, the whole address. */
  readonly path: string
  /** From 1. */
  readonly attempt: number
}

export interface RequestEvent extends TryEvent {
  readonly headers: Readonly<Record<string, string>>
}

export interface ResponseEvent extends TryEvent {
  /** Null where no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  readonly headers: Readonly<Record<string, string>>
  /** From sending to headers or failure. */
  readonly durationMs: number
  readonly error: VaaniError | null
  /** After which time the next try follows; null: none. */
  readonly retryInMs: number | null
}

/** `console` is one. */
export interface Logger {
  debug(message: string, event: object): void
  warn(message: string, event: object): void
}

export interface ObserverOptions {
  /** Called before each try. */
  readonly onRequest?: (event: RequestEvent) => void
  /** Called after each try, also one that failed. */
  readonly onResponse?: (event: ResponseEvent) => void
  readonly logger?: Logger
  /** Whether events and logs are without keys, ids and queries; default true. */
  readonly redact?: boolean
}

/** Headers that tell nothing of a person, a key or a secret. */
const SHOWN =
  /^(accept|content-(type|length)|date|deprecation|idempot.*|link|ratelimit.*|retry-after|sunset|x-request-id)$/

/**
 * Tells hooks and a logger of each try. `Vaani` makes one of its own options; a namespace alone is given one, so that only who
 * listens loads it.
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
