import type { ErrorCode, Operations } from './generated/types.ts'

/** Name of an operation, for example `calls.place`. */
export type Operation = keyof Operations

/** Codes with which the service can refuse an operation. */
export type ErrorCodeOf<Name extends Operation> = Operations[Name]['errorCode']

/** Codes of failures that the client detects itself. */
export type FailureCode =
  | 'connection_failed'
  | 'timed_out'
  | 'aborted'
  | 'stream_truncated'
  | 'stream_stalled'
  | 'stream_consumed'
  | 'backlog_full'
  | 'still_pending'

export interface ErrorContext {
  /** `request` stands for any path sent with `vaani.request()`. */
  readonly operation: Operation | 'request'
  /** Number of times the request was sent. */
  readonly attempts: number
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly cause?: unknown
}

/** In the global symbol registry, so that two copies of this package recognise each other's errors. */
const marker: unique symbol = Symbol.for('vaani.error')

/** Returns the system's code of an error or its causes, for example `ECONNREFUSED`. */
const codeOf = (error: unknown): string | undefined => {
  const { code, cause }: { code?: unknown; cause?: unknown } = Object(error)
  return typeof code === 'string' ? code : cause ? codeOf(cause) : undefined
}

const nameOf = (error: unknown): unknown => Object(error)[marker]

/**
 * Base class of every error that the client's methods reject with. The message contains nothing that was sent, and from a response only
 * the message of the error, which by contract quotes no values.
 *
 * @example
 * try {
 *   await vaani.calls.place({ to, agent_id: 'reminder' })
 * } catch (error) {
 *   if (ApiError.isInstance(error, 'calls.place') && error.code === 'invalid_phone') askAgain()
 *   else throw error
 * }
 */
export class VaaniError extends Error {
  override readonly name: string = 'VaaniError'
  /** Machine-readable code, from a closed set for each class and operation. */
  declare readonly code: string
  declare readonly operation: Operation | 'request'
  /** Number of times the request was sent. */
  declare readonly attempts: number
  /** Quote it to support; null if there was no response. */
  declare readonly requestId: string | null
  /** Pass it to the same method to retry a request whose outcome is unknown; null if the request had none. */
  declare readonly idempotencyKey: string | null
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean = true

  /** @param facts assigned to the error, including the properties that a subclass adds */
  constructor(message: string, { cause, ...facts }: ErrorContext & { code?: string; retryable?: boolean }) {
    super(`${facts.operation}: ${message}`, cause === undefined ? undefined : { cause })
    Object.assign(this, { requestId: null, idempotencyKey: null }, facts)
  }

  get [marker](): string {
    return this.name
  }

  /** Checks whether an error is of this class, even if another copy of this package created it. */
  static isInstance(error: unknown): error is VaaniError {
    return nameOf(error) !== undefined
  }
}

/** One problem of a request, as the service describes it. */
export interface ErrorDetail {
  /** Dot path of the field, or null if the problem concerns no single field. */
  readonly param: string | null
  readonly message: string
}

export interface ApiErrorContext<Code extends string> extends ErrorContext {
  readonly status: number
  readonly code: Code | 'unrecognized'
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  readonly param?: string | null
  readonly details?: readonly ErrorDetail[]
  /** Explanation of the failure, by the service or by the client. */
  readonly sentence?: string | undefined
}

/**
 * The service refused the request or failed. `unrecognized` marks a response that no server of this contract sends, for example a
 * proxy's page, or a success without its required fields.
 */
export class ApiError<Code extends string = ErrorCode> extends VaaniError {
  override readonly name = 'ApiError'
  declare readonly code: Code | 'unrecognized'
  declare readonly status: number
  /** Milliseconds that the service asks to wait. */
  declare readonly retryAfterMs: number | undefined
  /** Dot path of the offending field. */
  declare readonly param: string | null
  /** Every problem found in the request; empty if the service does not list them. */
  declare readonly details: readonly ErrorDetail[]

  constructor({ sentence, ...context }: ApiErrorContext<Code>) {
    const { status, code, requestId } = context
    super(
      `${status} ${code}${sentence ? `: ${sentence}` : ''}${requestId ? ` (request ${requestId})` : ''}`,
      {
        param: null,
        details: [],
        ...context,
      },
    )
  }

  /** Also narrows `code` to the codes of an operation, if its name is given. */
  static override isInstance<Name extends Operation = Operation>(
    error: unknown,
    operation?: Name,
  ): error is ApiError<ErrorCodeOf<Name>> {
    return (
      nameOf(error) === 'ApiError' &&
      (operation === undefined || (error as VaaniError).operation === operation)
    )
  }
}

/**
 * There was no response: connection refused or reset, unknown host, or no network. The message names the host and the
 * system's code, if there is one; `cause` is the runtime's error.
 */
export class ConnectionError extends VaaniError {
  override readonly name = 'ConnectionError'
  override readonly code = 'connection_failed'

  constructor({ url, ...context }: ErrorContext & { url?: string }) {
    const code = codeOf(context.cause)
    super(`no response${url ? ` from ${new URL(url).host}` : ''}${code ? ` (${code})` : ''}`, context)
  }

  static override isInstance(error: unknown): error is ConnectionError {
    return nameOf(error) === 'ConnectionError'
  }
}

/** One attempt, or the whole request with its retries, exceeded its time limit. */
export class TimeoutError extends VaaniError {
  override readonly name = 'TimeoutError'
  override readonly code = 'timed_out'
  /** Status of the response whose body did not arrive in time; null if there was no response. */
  declare readonly status: number | null
  declare readonly timeoutMs: number
  /** Which limit was exceeded: of one attempt, or of the whole request. */
  declare readonly limit: 'try' | 'total'

  constructor(context: ErrorContext & { timeoutMs: number; limit: 'try' | 'total'; status?: number | null }) {
    const { status = null, timeoutMs } = context
    const what = status === null ? 'no response' : `incomplete ${status} response`
    const facts = { ...context, status }
    super(`${what} after ${timeoutMs} ms`, facts)
  }

  static override isInstance(error: unknown): error is TimeoutError {
    return nameOf(error) === 'TimeoutError'
  }
}

/** The caller's signal was aborted; `cause` is its reason. */
export class AbortedError extends VaaniError {
  override readonly name = 'AbortedError'
  override readonly code = 'aborted'
  override readonly retryable = false

  constructor(context: ErrorContext) {
    super('aborted', context)
  }

  static override isInstance(error: unknown): error is AbortedError {
    return nameOf(error) === 'AbortedError'
  }
}

/** The body ended before it was complete. */
export class TruncatedStreamError extends VaaniError {
  override readonly name = 'TruncatedStreamError'
  override readonly code = 'stream_truncated'

  constructor(context: ErrorContext) {
    super('the body is truncated', context)
  }

  static override isInstance(error: unknown): error is TruncatedStreamError {
    return nameOf(error) === 'TruncatedStreamError'
  }
}

/** A response or an upload made no progress for `idleTimeoutMs`. */
export class StalledStreamError extends VaaniError {
  override readonly name = 'StalledStreamError'
  override readonly code = 'stream_stalled'
  declare readonly idleTimeoutMs: number

  constructor(context: ErrorContext & { idleTimeoutMs: number }) {
    super(`no progress for ${context.idleTimeoutMs} ms`, context)
  }

  static override isInstance(error: unknown): error is StalledStreamError {
    return nameOf(error) === 'StalledStreamError'
  }
}

/** The stream was already read, and its content is not kept. Store what you need, or send the request again. */
export class ConsumedStreamError extends VaaniError {
  override readonly name = 'ConsumedStreamError'
  override readonly code = 'stream_consumed'
  override readonly retryable = false

  constructor(context: ErrorContext) {
    super('stream already read', context)
  }

  static override isInstance(error: unknown): error is ConsumedStreamError {
    return nameOf(error) === 'ConsumedStreamError'
  }
}

/**
 * A WebSocket session failed, with the code that the server sent, or: `unrecognized`, a message that no server of this contract
 * sends; `backlog_full`, too much data that the caller has not read yet, or that the connection has not sent yet.
 */
export class SessionError extends VaaniError {
  override readonly name = 'SessionError'
  declare readonly code: ErrorCodeOf<'synthesis.socket'> | 'unrecognized' | 'backlog_full'

  static override isInstance(error: unknown): error is SessionError {
    return nameOf(error) === 'SessionError'
  }
}

/** Polling ended before a final state was reached: wait for the webhook. */
export class StillPending extends VaaniError {
  override readonly name = 'StillPending'
  override readonly code = 'still_pending'
  /** Id of the verification, call or batch. */
  declare readonly id: string
  /** Last status that was read; null if no read succeeded. */
  declare readonly status: string | null

  constructor(context: ErrorContext & { id: string; status: string | null }) {
    super(`no final state after ${context.attempts} reads`, context)
  }

  static override isInstance(error: unknown): error is StillPending {
    return nameOf(error) === 'StillPending'
  }
}
