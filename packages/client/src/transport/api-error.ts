import { ApiError, type ErrorContext, type ErrorDetail } from '../errors.ts'
import type { ErrorCode } from '../generated/types.ts'
import type { Clock } from './clock.ts'
import { parseJson } from './json.ts'
import { readRetryAfterMs } from './retry.ts'

const RETRYABLE: readonly number[] = [408, 429, 500, 502, 503, 504]

/** The properties of any value: none where it is no object. */
const propertiesOf = (value: unknown): Record<string, unknown> => Object(value)

/** By its form: a newer server may send a code that this version does not list. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && /^[a-z_]{1,64}$/.test(value)

const isDetail = (value: unknown): value is ErrorDetail => typeof propertiesOf(value)['message'] === 'string'

/** The error that an answer stands for; its text may be of a proxy, and so anything: then the status says what there is to know. */
export function createApiError(
  { response, context, clock }: { response: Response; context: ErrorContext; clock: Clock },
  text: string,
): ApiError {
  const { status, headers } = response
  const { code, param, details, request_id } = propertiesOf(propertiesOf(parseJson(text))['error'])
  const retryAfterMs = readRetryAfterMs(headers, clock.nowMs())
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
