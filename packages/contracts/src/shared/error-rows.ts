/** Error families, spelled as clients of OpenAI-style error bodies expect them. */
export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'rate_limit_error',
  'api_error',
] as const
export type ErrorType = (typeof ERROR_TYPES)[number]

export interface ErrorRow {
  readonly status: number
  readonly type: ErrorType
  /** Whether the same request, unchanged, may succeed later. */
  readonly retryable: boolean
  readonly description: string
}
