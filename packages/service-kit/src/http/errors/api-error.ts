import { type ErrorBody, type ErrorCode, type ErrorDetail, ERRORS } from '@vaani/contracts'

export interface ApiErrorOptions {
  param?: string | null
  details?: ErrorDetail[]
  /** Seconds for the Retry-After header. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error response. The message goes to the caller, so it must never contain request data. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly param: string | null
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  toBody(requestId: string): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        type: ERRORS[this.code].type,
        param: this.param,
        request_id: requestId,
        ...(this.details && { details: this.details }),
      },
    }
  }
}
