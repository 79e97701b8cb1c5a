import type { ErrorCode, Operations } from './generated/types.ts'

/** The name of an operation, as in `calls.place`. */
export type Operation = keyof Operations

/** The codes that an operation can fail with at the service. */
export type ErrorCodeOf<Name extends Operation> = Operations[Name]['errorCode']

/** What went wrong where the service did not say it. */
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
  /** `request` is any path, by `vaani.request()`. */
  readonly operation: Operation | 'request'
  /** How many times the request was sent. */
  readonly attempts: number
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly cause?: unknown
}

/** In the registry of all realms, so that errors are known across two copies of this package. */
const marker: unique symbol = Symbol.for('vaani.error')

const nameOf = (error: unknown): unknown => Object(error)[marker]

/**
 * What every method of the client fails with. The message holds nothing that was sent, and of an answer only the sentence of
 * an error, which by contract quotes no values.
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
  /** For machines: closed for each class and operation. */
  declare readonly code: string
  declare readonly operation: Operation | 'request'
  /** How many times the request was sent. */
  declare readonly attempts: number
  /** For support; null if no answer came. */
  declare readonly requestId: string | null
  /** Give it to the same method to go on with a request whose outcome is unknown; null where there is none. */
  declare readonly idempotencyKey: string | null
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean = true

  /** @param facts become the properties of the error, also those that a class adds */
  constructor(message: string, { cause, ...facts }: ErrorContext & { code?: string; retryable?: boolean }) {
    super(`${facts.operation}: ${message}`, cause === undefined ? undefined : { cause })
    Object.assign(this, { requestId: null, idempotencyKey: null }, facts)
  }

  get [marker](): string {
    return this.name
  }

  /** Whether an error is of this class, also where another copy of this package made it. */
  static isInstance(error: unknown): error is VaaniError {
    return nameOf(error) !== undefined
  }
}

/** One problem of a request, as the service describes it. */
export interface ErrorDetail {
  /** Dot path of the field, or null where the problem is of no one field. */
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
  /** What went wrong, in a sentence of the service or of the client. */
  readonly sentence?: string | undefined
}

/**
 * The service refused or failed. `unrecognized` is an answer that no server of this contract gives, such as the page of a
 * proxy, or a success without what it must have.
 */
export class ApiError<Code extends string = ErrorCode> extends VaaniError {
  override readonly name = 'ApiError'
  declare readonly code: Code | 'unrecognized'
  declare readonly status: number
  /** How long the service asks to wait, in milliseconds. */
  declare readonly retryAfterMs: number | undefined
  /** Dot path of the offending field. */
  declare readonly param: string | null
  /** Every problem that the service found; empty unless there are several. */
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

  /** With the name of an operation, `code` is narrowed to what that operation can answer. */
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

/** No answer came: refused, reset, no such host, or no network; `cause` is the error of the runtime. */
export class ConnectionError extends VaaniError {
  override readonly name = 'ConnectionError'
  override readonly code = 'connection_failed'

  constructor(context: ErrorContext) {
    super('no answer came', context)
  }

  static override isInstance(error: unknown): error is ConnectionError {
    return nameOf(error) === 'ConnectionError'
  }
}

/** A try, or all of them together, took longer than allowed. */
export class TimeoutError extends VaaniError {
  override readonly name = 'TimeoutError'
  override readonly code = 'timed_out'
  /** Of the answer whose body did not come in time; null if no answer came. */
  declare readonly status: number | null
  declare readonly timeoutMs: number
  /** Which limit it was. */
  declare readonly limit: 'try' | 'total'

  constructor(context: ErrorContext & { timeoutMs: number; limit: 'try' | 'total'; status?: number | null }) {
    const { status = null, timeoutMs } = context
    const what = status === null ? 'no answer' : `${status} without its whole body`
    const facts = { ...context, status }
    super(`${what} within ${timeoutMs} ms`, facts)
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

/** A body ended before it was whole. */
export class TruncatedStreamError extends VaaniError {
  override readonly name = 'TruncatedStreamError'
  override readonly code = 'stream_truncated'

  constructor(context: ErrorContext) {
    super('the body was cut off', context)
  }

  static override isInstance(error: unknown): error is TruncatedStreamError {
    return nameOf(error) === 'TruncatedStreamError'
  }
}

/** Nothing of a body came, or of an upload went, for longer than `idleTimeoutMs`. */
export class StalledStreamError extends VaaniError {
  override readonly name = 'StalledStreamError'
  override readonly code = 'stream_stalled'
  declare readonly idleTimeoutMs: number

  constructor(context: ErrorContext & { idleTimeoutMs: number }) {
    super(`nothing moved for ${context.idleTimeoutMs} ms`, context)
  }

  static override isInstance(error: unknown): error is StalledStreamError {
    return nameOf(error) === 'StalledStreamError'
  }
}

/** A stream was read before: what it brought is gone. Keep what you need, or ask again. */
export class ConsumedStreamError extends VaaniError {
  override readonly name = 'ConsumedStreamError'
  override readonly code = 'stream_consumed'
  override readonly retryable = false

  constructor(context: ErrorContext) {
    super('a stream is read once', context)
  }

  static override isInstance(error: unknown): error is ConsumedStreamError {
    return nameOf(error) === 'ConsumedStreamError'
  }
}

/**
 * A session over a WebSocket was ended: by the server with a code of its own; `unrecognized`: it sent what no server of this
 * contract sends; `backlog_full`: what it sent was not read, or what it was sent not taken, for too long.
 */
export class SessionError extends VaaniError {
  override readonly name = 'SessionError'
  declare readonly code: ErrorCodeOf<'synthesis.socket'> | 'unrecognized' | 'backlog_full'

  static override isInstance(error: unknown): error is SessionError {
    return nameOf(error) === 'SessionError'
  }
}

/** Polling has ended and there is no final state yet: wait for the webhook. */
export class StillPending extends VaaniError {
  override readonly name = 'StillPending'
  override readonly code = 'still_pending'
  /** Of the verification, call or batch. */
  declare readonly id: string
  /** The last status that was read; null where no read succeeded. */
  declare readonly status: string | null

  constructor(context: ErrorContext & { id: string; status: string | null }) {
    super(`no final state after ${context.attempts} reads`, context)
  }

  static override isInstance(error: unknown): error is StillPending {
    return nameOf(error) === 'StillPending'
  }
}
