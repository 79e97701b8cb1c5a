import type { RequestListener } from 'node:http'
import { contract } from '@vaani/contracts'
import type { IdMaker } from '../../ids.ts'
import { ApiError } from '../errors/api-error.ts'
import { baseHeaders } from './malformed-refusal.ts'
import { chooseRequestId } from '../observe/request-id.ts'

/** Serves requests before the application exists, in the same format: 200 for the health check, 503 for the rest. */
export function answerWhileStarting(makeId: IdMaker): RequestListener {
  return (request, response) => {
    const requestId = chooseRequestId(request, makeId)
    const isAlive = request.url === contract.system.health.path
    const error = new ApiError('service_unavailable', 'The server is starting', { retryAfterSeconds: 1 })
    const body = JSON.stringify(isAlive ? { status: 'ok' } : error.toBody(requestId))
    request.resume()
    response
      .writeHead(isAlive ? 200 : error.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
        ...baseHeaders(requestId),
        ...(!isAlive && { 'retry-after': String(error.retryAfterSeconds) }),
      })
      .end(request.method === 'HEAD' ? undefined : body)
  }
}
