import type { ErrorCode } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { UNAVAILABILITY, unavailabilityOf } from '../database/database-error.ts'
import type { Logger } from '../telemetry/log.ts'
import { ApiError } from './api-error.ts'
import { storageFault } from './storage-fault.ts'
import { isResponseContractError, metadataOf } from './ts-rest.ts'

const FASTIFY_ERRORS: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('payload_too_large', 'The body is over the size limit'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', 'This Content-Type is not read here'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new ApiError('invalid_request', 'The body is not JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('invalid_request', 'The body is not as long as Content-Length says', {
      param: 'content-length',
    }),
}

/** What a parser refused under a code that is not listed above, by the status that it proposes. */
const PARSER_ERRORS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_request', 'The request could not be read'],
  413: ['payload_too_large', 'The body is over the size limit'],
  415: ['unsupported_media_type', 'This Content-Type is not read here'],
}

/** The answer to an error that only one service knows; null for any other error. */
export type TranslateError = (error: unknown) => ApiError | null

/** Every error as the one error of the interface. */
export function toApiError(error: unknown, translate: TranslateError): ApiError {
  if (error instanceof ApiError) return error
  const known = storageFault(error) ?? translate(error)
  if (known) return known
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const make = FASTIFY_ERRORS[error.code]
    if (make) return make()
  }
  const proposed = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
  const refused = PARSER_ERRORS[proposed]
  if (refused) return new ApiError(...refused, { cause: error })
  const unavailability = unavailabilityOf(error)
  if (unavailability !== null) {
    const { message, retryAfterSeconds } = UNAVAILABILITY[unavailability]
    return new ApiError('service_unavailable', message, { retryAfterSeconds, cause: error })
  }
  return new ApiError('internal_error', 'The service failed; report the request id', { cause: error })
}

/** Answers with an error; a fault of ours is logged, with nothing of the request in the line. */
export function sendError(options: {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
  log: Logger
  translate: TranslateError
}): FastifyReply {
  const { error, request, reply, log, translate } = options
  const apiError = toApiError(error, translate)
  const metadata = metadataOf(request)
  request.span?.set({ 'error.type': apiError.code })
  const line = {
    request_id: request.id,
    trace_id: request.span?.traceId,
    operation: metadata?.operation,
    code: apiError.code,
  }
  if (apiError.code === 'service_unavailable')
    log.warn({ ...line, error: apiError.cause ?? error }, 'A request could not be served at present')
  else if (apiError.status >= 500)
    log.error(
      { ...line, error: apiError.cause ?? error },
      isResponseContractError(error) ? 'A response broke its contract' : 'A request failed',
    )
  else if (metadata !== undefined && !metadata.errors.includes(apiError.code))
    log.error(line, 'A route answered with an error that its contract does not list')
  if (apiError.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(apiError.retryAfterSeconds))
  if (apiError.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  return reply
    .status(apiError.status)
    .removeHeader('content-length')
    .type('application/json; charset=utf-8')
    .send(apiError.toBody(request.id))
}
