import { ApiError, type ErrorDetail } from '../errors.ts'
import type { ErrorCode } from '../generated/types.ts'
import type { Received } from './attempt.ts'
import { parseJson, propertiesOf } from './json.ts'
import { readRetryAfterMs } from './retry.ts'

/** Proxies send 520 to 529 when they got no valid response from the service. */
const RETRYABLE = /^(408|425|429|50[0234]|52\d)$/

const MAX_SENTENCE_LETTERS = 500

/** Checks only the form, because a newer server may send a code that this version does not know. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)

const isDetail = (value: unknown): value is ErrorDetail => typeof propertiesOf(value)['message'] === 'string'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Creates the error for a response. The text may come from a proxy and contain anything; then only the status is used.
 *
 * @param fault what is wrong with a successful response
 */
export function createApiError(
  { response, context, clock, url, route }: Received,
  text: string,
  fault?: string,
): ApiError {
  const { status, headers } = response
  // Methods take `front_image` and send it as `front_image_b64`; `vaani.request()` sends what it is given.
  const ours = context.operation === 'request' ? text : text.replace(/_b64\b/g, '')
  const { code, message, param, details, request_id } = propertiesOf(propertiesOf(parseJson(ours))['error'])
  // Drop the query, which may contain a secret.
  const location = headers.get('location')?.replace(/[?#].*/, '')
  const hint =
    status === 404 && url.includes(`/v1${route.path.split('{')[0]}`) ? ' (baseUrl must not end in /v1)' : ''
  const sentence = fault ?? (textOf(message) ?? (location && `redirects to ${location}`) ?? '') + hint
  const retryAfterMs = readRetryAfterMs(headers, clock.nowMs())
  return new ApiError({
    ...context,
    // In a browser, the header is visible only if the server exposes it.
    requestId: context.requestId ?? textOf(request_id) ?? null,
    status,
    code: isErrorCode(code) ? code : 'unrecognized',
    // Keep it on one line, because a proxy may write anything.
    sentence: sentence.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_SENTENCE_LETTERS),
    retryAfterMs,
    // With `Retry-After`, this conflict means that the first request with the key is still running.
    retryable:
      RETRYABLE.test(String(status)) || (code === 'idempotency_conflict' && retryAfterMs !== undefined),
    param: textOf(param) ?? null,
    details: Array.isArray(details) ? details.filter(isDetail) : [],
  })
}
