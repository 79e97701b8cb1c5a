import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@vaani/contracts'
import type { IdMaker } from '../../ids.ts'
import { ApiError } from '../errors/api-error.ts'
import { answerMalformed, type Refusal } from '../connection/answer-malformed.ts'
import { STATUS_CODES } from '../../lifecycle/node-http.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../observe/request-id.ts'

/** Headers of every response. A cacheable response overrides `cache-control`. */
export const baseHeaders = (requestId: string) => ({
  [REQUEST_ID_HEADER]: requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** By the error codes of Node and of llhttp, its parser. */
const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive completely in time'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and the headers are over the size limit'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The extensions of a chunk are over the size limit'],
}

/** Returns what to answer if the parser failed or timed out. */
export function explainMalformed(error: Error & { code?: string }): ApiError {
  const [code, message] = CAUSES[error.code ?? ''] ?? [
    'invalid_request',
    'The request is not well-formed HTTP',
  ]
  return new ApiError(code, message)
}

/** Converts an error to a response that is written without the framework. */
function toRefusal(error: ApiError, requestId: string): Refusal {
  const body = JSON.stringify(error.toBody(requestId))
  return {
    status: error.status,
    reason: STATUS_CODES[error.status] ?? '',
    headers: {
      ...baseHeaders(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  }
}

/** Handles what Node would otherwise handle by itself: bytes that are not HTTP, CONNECT and `Expect`. */
export function answerInPlaceOfNode(server: Server, makeId: IdMaker): void {
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket as Socket, toRefusal(explainMalformed(error), makeId('request'))),
  )
  server.on('connect', (request, socket) => {
    const notFound = toRefusal(
      new ApiError('not_found', 'There is no such route'),
      chooseRequestId(request, makeId),
    )
    answerMalformed(new Error('A tunnel was requested'), socket as Socket, notFound)
  })
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
