import type { IdMaker } from '../ids.ts'
import { ApiError } from './api-error.ts'
import type { Refusal } from './connection/answer-malformed.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

/** The answer to bytes that are not HTTP, and to headers over the size limit: the parser makes no request of them. */
export function refuseMalformed(makeId: IdMaker): Refusal {
  const requestId = makeId('request')
  const error = new ApiError('invalid_request', 'The request is not well-formed HTTP')
  const body = JSON.stringify(error.toBody(requestId))
  return {
    status: error.status,
    reason: 'Bad Request',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      [REQUEST_ID_HEADER]: requestId,
    },
    body,
  }
}
