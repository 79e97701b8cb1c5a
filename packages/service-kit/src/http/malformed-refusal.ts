import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@vaani/contracts'
import type { IdMaker } from '../ids.ts'
import { ApiError } from './api-error.ts'
import { answerMalformed, type Refusal } from './connection/answer-malformed.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from './request-id.ts'

/** On every answer. One that may be kept says so itself. */
export const baseHeaders = (requestId: string) => ({
  [REQUEST_ID_HEADER]: requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** By the codes of Node and of llhttp, its parser. */
const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not come whole within its time'],
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request line and the header fields are over the size limit',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The extensions of a chunk are over the size limit'],
}

/** The answer if the parser gave up, or waited in vain. */
function refusalOfMalformed(error: Error & { code?: string }, requestId: string): Refusal {
  const [code, message] = CAUSES[error.code ?? ''] ?? [
    'invalid_request',
    'The request is not well-formed HTTP',
  ]
  return toRefusal(new ApiError(code, message), requestId)
}

/** An error as an answer that is written without the framework. */
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

/** Gives our answers to what Node would answer by itself: bytes that are not HTTP, CONNECT and `Expect`. */
export function answerInPlaceOfNode(server: Server, makeId: IdMaker): void {
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket as Socket, refusalOfMalformed(error, makeId('request'))),
  )
  server.on('connect', (request, socket) => {
    const notFound = toRefusal(
      new ApiError('not_found', 'There is no such route'),
      chooseRequestId(request, makeId),
    )
    answerMalformed(new Error('A tunnel was asked for'), socket as Socket, notFound)
  })
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
