import { contract, type ErrorCode, LINES_TYPES, type RouteMetadata } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { UNAVAILABILITY, unavailabilityOf } from '../../database/database-error.ts'
import type { Logger } from '../../telemetry/log.ts'
import { ApiError } from '../errors/api-error.ts'
import { JSON_TYPES } from '../body/json-types.ts'
import { describeRefusal, type OnRefusal } from './describe-refusal.ts'
import { storageFault } from '../errors/storage-fault.ts'
import { isResponseContractError, metadataOf } from '../ts-rest.ts'

type MakeError = (metadata: RouteMetadata | undefined) => ApiError

const FASTIFY_ERRORS: Readonly<Record<string, MakeError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('payload_too_large', 'The body is over the size limit'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (metadata) =>
    new ApiError('unsupported_media_type', `content-type: must be ${acceptedTypes(metadata)}`, {
      param: 'content-type',
    }),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new ApiError('invalid_request', 'The body is not JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('invalid_request', 'The length of the body differs from Content-Length', {
      param: 'content-length',
    }),
}

/** Names the media types of bodies that a route takes, as the end of a sentence. */
function acceptedTypes(metadata: RouteMetadata | undefined): string {
  if (metadata?.parts) return FORM_TYPE
  const others = [...(metadata?.formParts ? [FORM_TYPE] : []), ...(metadata?.lines ? LINES_TYPES : [])]
  return [JSON_TYPES[0], ...others].join(' or ')
}

const FORM_TYPE = 'multipart/form-data'

/** Errors of parsers whose code is not listed above, by the status that they propose. */
const PARSER_ERRORS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_request', 'The request could not be read'],
  413: ['payload_too_large', 'The body is over the size limit'],
  415: ['unsupported_media_type', 'This Content-Type is not supported here'],
}

/** Translates errors that only one service knows; returns null for any other error. */
export type TranslateError = (error: unknown) => ApiError | null

/** Converts any error to an `ApiError`. The metadata of the route makes it say what the route takes instead. */
export function toApiError(error: unknown, translate: TranslateError, metadata?: RouteMetadata): ApiError {
  if (error instanceof ApiError) return error
  const known = storageFault(error) ?? translate(error)
  if (known) return known
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const make = FASTIFY_ERRORS[error.code]
    if (make) return make(metadata)
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

/** Sends an error response. Logs errors of ours, without any request data. */
export function sendError(options: {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
  log: Logger
  translate: TranslateError
  onRefusal: readonly OnRefusal[]
}): FastifyReply {
  const { error, request, reply, log, translate, onRefusal } = options
  const metadata = metadataOf(request)
  const apiError = toApiError(error, translate, metadata)
  request.span?.set({ 'error.type': apiError.code })
  const refusal = describeRefusal(apiError, request, reply)
  if (refusal !== null) for (const note of onRefusal) note(refusal)
  const line = {
    request_id: request.id,
    trace_id: request.span?.traceId,
    operation: metadata?.operation,
    code: apiError.code,
  }
  if (apiError.code === 'service_unavailable') {
    // A probe that learns that the server is not ready was served.
    if (request.routeOptions.url !== contract.system.ready.path)
      log.warn({ ...line, error: apiError.cause ?? error }, 'A request could not be served at the moment')
  } else if (apiError.status >= 500)
    log.error(
      { ...line, error: apiError.cause ?? error },
      isResponseContractError(error) ? 'A response violated its contract' : 'A request failed',
    )
  else if (metadata !== undefined && !metadata.errors.includes(apiError.code))
    log.error(line, 'A route returned an error that its contract does not list')
  if (apiError.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(apiError.retryAfterSeconds))
  if (apiError.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  return reply
    .status(apiError.status)
    .removeHeader('content-length')
    .type('application/json; charset=utf-8')
    .send(apiError.toBody(request.id))
}
