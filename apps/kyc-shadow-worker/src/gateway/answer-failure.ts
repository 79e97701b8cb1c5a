import { randomUUID } from 'node:crypto'
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
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  const body: ErrorBody<'service_unavailable'> = {
    error: {
      type: 'api_error',
      code: 'service_unavailable',
      message: 'The service behind this gateway did not answer',
      param: null,
      request_id: requestId,
    },
  }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': RETRY_AFTER_SECONDS,
    'x-request-id': requestId,
  }
  response.writeHead(503, headers).end(JSON.stringify(body))
}
