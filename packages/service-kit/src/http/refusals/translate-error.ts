import type { ErrorCode } from '@vaani/contracts'
import { ApiError, type ApiErrorOptions } from '../errors/api-error.ts'
import type { TranslateError } from './handle-errors.ts'

/** The response to an error of a library. */
export type Answer = readonly [ErrorCode, string, Pick<ApiErrorOptions, 'param' | 'retryAfterSeconds'>?]

export const FAULT: Answer = ['internal_error', 'The service failed; report the request id']
export const STOPPING: Answer = ['service_unavailable', 'The server is stopping', { retryAfterSeconds: 5 }]

/** Creates a translator that maps errors of a class by their code. A code without a response does not compile. */
export const translateBy =
  <Code extends string>(
    errorClass: new (code: Code, message: string) => Error & { code: Code },
    answers: Readonly<Record<Code, Answer>>,
  ): TranslateError =>
  (error) => {
    if (!(error instanceof errorClass)) return null
    const [code, message, options] = answers[error.code]
    return new ApiError(code, message, { ...options, cause: error })
  }
