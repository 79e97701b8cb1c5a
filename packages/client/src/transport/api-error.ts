import { ApiError, type ErrorDetail } from '../errors.ts'
import type { ErrorCode } from '../generated/types.ts'
import type { Received } from './attempt.ts'
import { parseJson, propertiesOf } from './json.ts'
import { readRetryAfterMs } from './retry.ts'

/** 520 to 529 are of proxies that had no good answer from the service. */
const RETRYABLE = /^(408|425|429|50[0234]|52\d)$/

const MAX_SENTENCE_LETTERS = 500

/** By its form: a newer server may send a code that this version does not list. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)

const isDetail = (value: unknown): value is ErrorDetail => typeof propertiesOf(value)['message'] === 'string'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * The error that an answer stands for. Its text may be of a proxy, and so anything: then the status says what there is to know.
 *
 * @param fault what is wrong with a success
 */
export function createApiError(
  { response, context, clock }: Received,
  text: string,
  fault?: string,
): ApiError {
  const { status, headers } = response
  const { code, message, param, details, request_id } = propertiesOf(propertiesOf(parseJson(text))['error'])
  // Without its query, which may hold a secret.
  const location = headers.get('location')?.replace(/[?#].*/, '')
  const sentence = fault ?? textOf(message) ?? (location && `leads to ${location}`)
  const retryAfterMs = readRetryAfterMs(headers, clock.nowMs())
  return new ApiError({
    ...context,
    // A browser sees the header only where the server allows it.
    requestId: context.requestId ?? textOf(request_id) ?? null,
    status,
    code: isErrorCode(code) ? code : 'unrecognized',
    // One line, whatever a proxy writes.
    sentence: sentence?.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_SENTENCE_LETTERS),
    retryAfterMs,
    // The first request with this key still runs.
    retryable:
      RETRYABLE.test(String(status)) || (code === 'idempotency_conflict' && retryAfterMs !== undefined),
    param: textOf(param) ?? null,
    details: Array.isArray(details) ? details.filter(isDetail) : [],
  })
}
