import type { ErrorCode } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors/api-error.ts'
import { innerCallerOf } from '../inner/inner-requests.ts'
import type { Principal } from '../principal.ts'
import { metadataOf } from '../ts-rest.ts'

/** A request of a known caller that is answered with an error. */
export interface Refusal {
  requestId: string
  caller: Principal
  method: string
  /** Template of the path, such as `/agent/calls/:call_id`. */
  route: string
  operation: string
  status: number
  code: ErrorCode
  /** Field at fault. It may be a name that the caller chose. */
  param: string | null
  durationMs: number
}

/** Called with each refusal while its caller waits, so it must return at once. */
export type OnRefusal = (refusal: Refusal) => void

/** Describes the refusal of a request; null if nobody is known to have made it, or the process itself did. */
export function describeRefusal(
  error: Pick<ApiError, 'code' | 'status' | 'param'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | null {
  const { principal: caller, routeOptions } = request
  const operation = metadataOf(request)?.operation
  if (caller === null || operation === undefined || routeOptions.url === undefined) return null
  if (innerCallerOf(request.raw) || reply.raw.headersSent) return null
  const { status, code, param } = error
  return {
    requestId: request.id,
    caller,
    method: request.method,
    route: routeOptions.url,
    operation,
    status,
    code,
    param,
    durationMs: Math.round(reply.elapsedTime),
  }
}
