import { ApiError, type ErrorContext, type ErrorDetail } from '../errors.ts'
import type { ErrorCode } from '../generated/types.ts'
import { readRetryAfterMs } from './retry.ts'

const RETRYABLE: readonly number[] = [408, 429, 500, 502, 503, 504]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** By its form: a newer server may send a code that this version does not list. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && /^[a-z_]{1,64}$/.test(value)

/** The error that an answer stands for; its body may be of a proxy, and so anything. */
export function createApiError(options: {
  readonly response: Pick<Response, 'status' | 'headers'>
  readonly text: string
  readonly context: ErrorContext
  readonly nowMs: number
}): ApiError {
  const { response, text, context, nowMs } = options
  const { status, headers } = response
  const error = errorIn(parse(text))
  const { code, param, details, request_id } = error
  const retryAfterMs = readRetryAfterMs(headers, nowMs)
  return new ApiError({
    ...context,
    // A browser sees the header only where the server allows it.
    requestId: context.requestId ?? (typeof request_id === 'string' ? request_id : null),
    status,
    code: isErrorCode(code) ? code : 'unrecognized',
    retryAfterMs,
    // The first request with this key still runs.
    retryable: RETRYABLE.includes(status) || (code === 'idempotency_conflict' && retryAfterMs !== undefined),
    param: typeof param === 'string' ? param : null,
    details: Array.isArray(details) ? details.filter(isDetail) : [],
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A page of a proxy: the status says what there is to know.
    return undefined
  }
}

const errorIn = (body: unknown): Record<string, unknown> =>
  isObject(body) && isObject(body['error']) ? body['error'] : {}

const isDetail = (value: unknown): value is ErrorDetail =>
  isObject(value) && typeof value['message'] === 'string'
