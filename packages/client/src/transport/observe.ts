import type { Operation, VaaniError } from '../errors.ts'
import type { ClientOptions } from './client-options.ts'
import type { Route } from './route.ts'

interface TryEvent {
  readonly operation: Operation
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

/** Headers that tell nothing of a person, a key or a secret. */
const SHOWN =
  /^(accept|content-(type|length)|date|deprecation|idempot.*|link|ratelimit.*|retry-after|sunset|x-request-id)$/

/** Tells hooks and logger of each try. */
export interface Observer {
  request(attempt: number, headers: Readonly<Record<string, string>>): void
  response(
    result: Omit<ResponseEvent, keyof RequestEvent> & { attempt: number; headers: Headers | undefined },
  ): void
}

/** Nothing where nobody listens. */
export function createObserver(options: ClientOptions, route: Route, url: string): Observer | undefined {
  const { onRequest, onResponse, logger, redact = true } = options
  if (!onRequest && !onResponse && !logger) return undefined
  const { operation, method } = route
  const path = redact ? route.path : url
  const visible = (headers: Iterable<[name: string, value: string]> = []): Record<string, string> =>
    Object.fromEntries(
      Array.from(headers, ([name, value]) => [name, redact && !SHOWN.test(name) ? '[redacted]' : value]),
    )
  return {
    request(attempt, headers) {
      const event = { operation, method, path, attempt, headers: visible(Object.entries(headers)) }
      onRequest?.(event)
      logger?.debug('request', event)
    },
    response({ attempt, headers, ...result }) {
      const event = { operation, method, path, attempt, headers: visible(headers), ...result }
      onResponse?.(event)
      if (result.error) logger?.warn('response', event)
      else logger?.debug('response', event)
    },
  }
}
