import { z } from 'zod'
import { tableOf } from '../groups.ts'
import { ERROR_TYPES, type ErrorRow, type ErrorType } from './error-rows.ts'

/** Codes that any route may return, or that several groups share. */
const COMMON_ERRORS = {
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    description: 'A parameter is missing, malformed or unknown; `param` names it.',
  },
  text_too_long: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The text has more Unicode characters than the limit allows, or sounds longer.',
  },
  unauthorized: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    description: 'The API key is missing, malformed, unknown or revoked.',
  },
  forbidden: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    description:
      'The key or the account is not permitted to do this; `param` names the field that caused it, if any.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    description: 'There is no such route, or no such resource in this account.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The path does not support this method; `Allow` lists those that it supports.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    retryable: true,
    description: 'The complete request did not arrive in time.',
  },
  idempotency_conflict: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    description:
      'The Idempotency-Key was used with a different body, or the first request with it is still running.',
  },
  state_conflict: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The current state of the resource or account does not allow this.',
  },
  payload_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The body, or one part of it, exceeds its size limit.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The route does not accept this Content-Type.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    description: 'Too many requests; retry after the number of seconds in `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    retryable: false,
    description: 'The request line and header fields exceed their size limit.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    description: 'The service failed; report the request id.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    description: 'The service cannot handle this now; retry after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, ErrorRow>

/** Every error code, with its status, family and meaning. A new row needs an ADR. */
export const ERRORS = { ...COMMON_ERRORS, ...tableOf('errors') } as const

export type ErrorCode = keyof typeof ERRORS
export type ErrorStatus<Code extends ErrorCode = ErrorCode> = (typeof ERRORS)[Code]['status']

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value)
}

export interface ErrorDetail {
  /** Dot path of the field, or null if the problem concerns no single field. */
  param: string | null
  message: string
  /** Machine-readable, if the route's description lists reasons. */
  reason?: string | undefined
}

/** Body of every error response. No field ever contains a value that the caller sent. */
export interface ErrorBody<Code extends ErrorCode = ErrorCode> {
  error: {
    code: Code
    message: string
    type: ErrorType
    param: string | null
    request_id: string
    details?: ErrorDetail[] | undefined
  }
}

/** An interface, so that declarations contain its name for each route and status instead of the whole shape. */
export interface ErrorBodySchema<Code extends ErrorCode> extends z.ZodType<
  ErrorBody<Code>,
  ErrorBody<Code>
> {}

type CodesWithStatus<Code extends ErrorCode, Status> = Code extends ErrorCode
  ? ErrorStatus<Code> extends Status
    ? Code
    : never
  : never

export type ErrorResponses<Code extends ErrorCode> = {
  [Status in ErrorStatus<Code>]: ErrorBodySchema<CodesWithStatus<Code, Status>>
}

const errorDetailSchema = z.object({
  param: z.string().nullable(),
  message: z.string(),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Machine-readable reason, if the description of the route lists reasons.' }),
})

/** What the bodies of all errors share. Made once: there are hundreds of kinds, and each start of a process makes them. */
const ERROR_FIELDS = {
  message: z.string().meta({ description: 'Explanation for the developer; its wording may change.' }),
  type: z.enum(ERROR_TYPES).meta({ description: 'Family of the code.' }),
  param: z.string().nullable().meta({ description: 'Dot path of the offending field, or null.' }),
  request_id: z.string().meta({ description: 'The same as the X-Request-Id header.' }),
  details: z.array(errorDetailSchema).optional().meta({ description: 'Every problem found in the request.' }),
}

/** Returns the schema of an error body whose `code` is one of the given codes. */
export function errorBodySchema<Code extends ErrorCode>(codes: readonly Code[]): ErrorBodySchema<Code> {
  const code = z
    .enum(codes)
    .meta({ description: 'Machine-readable code, from a closed set for each route and status.' })
  return z.object({ error: z.object({ code, ...ERROR_FIELDS }) })
}

/** Schemas by their codes: routes have nearly nine hundred, of 23 kinds. */
const known = new Map<string, ErrorBodySchema<ErrorCode>>()

function knownSchema(codes: readonly ErrorCode[]): ErrorBodySchema<ErrorCode> {
  const key = codes.join()
  const schema = known.get(key) ?? errorBodySchema(codes)
  known.set(key, schema)
  return schema
}

/** Groups the given codes by status, with one response schema for each. */
export function errorResponses<Code extends ErrorCode>(codes: readonly Code[]): ErrorResponses<Code> {
  const byStatus = new Map<number, Code[]>()
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].map(([status, group]) => [status, knownSchema(group)] as const)
  return Object.fromEntries(entries) as ErrorResponses<Code>
}
