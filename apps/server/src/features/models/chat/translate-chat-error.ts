import { ChatError } from '@vaani/chat'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { TranslateError } from '@vaani/service-kit/http/refusals/handle-errors'
import { STOPPING, translateBy } from '@vaani/service-kit/http/refusals/translate-error'

const RETRY_SECONDS = 5

const translateByCode = translateBy(ChatError, {
  model_not_found: ['not_found', 'model: is not a model of this server that chats', { param: 'model' }],
  request_refused: ['invalid_request', 'The model refused the request'],
  provider_busy: ['rate_limit_exceeded', 'The model is busy', { retryAfterSeconds: 1 }],
  provider_failed: ['service_unavailable', 'The model failed', { retryAfterSeconds: RETRY_SECONDS }],
  provider_timed_out: [
    'service_unavailable',
    'The model did not answer in time',
    { retryAfterSeconds: RETRY_SECONDS },
  ],
  provider_closed: STOPPING,
  // The caller is gone and does not read this. Must not count as a server error.
  aborted: ['invalid_request', 'The caller has hung up'],
})

/** Passes on what a model refused, and how long it asks to wait. */
export const translateChatError: TranslateError = (error) => {
  const plain = translateByCode(error)
  if (plain === null || !(error instanceof ChatError)) return plain
  const { code, param, reason, retryAfterMs } = error
  if (code === 'request_refused' && (param ?? reason) !== undefined) {
    const why = whyRefused(error)
    return new ApiError(plain.code, param === undefined ? plain.message : `${param}: ${why}`, {
      param: param ?? null,
      details: [{ param: param ?? null, message: why, reason }],
      cause: error,
    })
  }
  if (retryAfterMs === undefined) return plain
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new ApiError(plain.code, plain.message, { retryAfterSeconds, cause: error })
}

/** The built-in model says it behind the field. What an upstream says is not passed on, because it may quote the request. */
function whyRefused({ param, message }: ChatError): string {
  const field = `${param}: `
  return message.startsWith(field) ? message.slice(field.length) : 'was refused by the model'
}
