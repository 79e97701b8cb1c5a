import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ErrorBody } from '@vaani/contracts'
import { end, type Exchange } from './exchange.ts'

const RETRY_AFTER_SECONDS = '1'

/**
 * Ends an exchange that the primary did not answer whole. If nothing was passed on yet, the caller gets a 503; otherwise its
 * connection is closed, which is the only way to say that the rest is missing.
 */
export function answerFailure(exchange: Exchange): void {
  if (exchange.isOver) return
  const { response } = exchange
  end(exchange, 'primary_failed')
  if (response.headersSent) return void response.destroy()
  sendError(response, 503, {
    type: 'api_error',
    code: 'service_unavailable',
    message: 'The service behind this gateway did not answer',
  })
}

/** Refuses a request whose target is neither a path nor an http(s) URL, so there is nothing to ask the primary for. */
export function refuseTarget(response: ServerResponse): void {
  sendError(response, 400, {
    type: 'invalid_request_error',
    code: 'invalid_request',
    message: 'The request target must be a path',
  })
}

function sendError(
  response: ServerResponse,
  status: number,
  error: Pick<ErrorBody['error'], 'type' | 'code' | 'message'>,
): void {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  const body: ErrorBody = { error: { ...error, param: null, request_id: requestId } }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...(status === 503 && { 'retry-after': RETRY_AFTER_SECONDS }),
  }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
