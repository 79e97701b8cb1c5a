import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { TranslateError } from '@vaani/service-kit/http/refusals/handle-errors'
import { LexiconError } from '@vaani/speech'

/** Names the entry as validation does: `entries.3.term`. */
export const translateLexiconError: TranslateError = (error) => {
  if (!(error instanceof LexiconError)) return null
  const param = error.field.replace(/\[(\d+)\]/, '.$1')
  return new ApiError('invalid_request', `${param}${error.message.slice(error.field.length)}`, { param })
}
