import type { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'

export type Issues = Parameters<typeof toValidationError>[0]['body']

/** Makes the error for what is wrong with a body. */
export const refusalOf = (body: Issues): ApiError =>
  toValidationError({ path: [], headers: [], query: [], body })
