import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { type ErrorBody, type ErrorCode, ERRORS } from '@vaani/contracts'
import { end, type Exchange, type HeldAnswer } from './exchange.ts'

const RETRY_AFTER_SECONDS = '1'

/** Makes the answer of a refusal by the gateway itself. */
export function makeRefusal(code: ErrorCode, message: string, param: string | null = null): HeldAnswer {
  const { status, type } = ERRORS[code]
  const requestId = `req_${randomUUID().replaceAll('-', '')}`
  const error: ErrorBody = { error: { type, code, message, param, request_id: requestId } }
  const body = Buffer.from(JSON.stringify(error))
  const rawHeaders = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'X-Request-Id',
    requestId,
    ...(status === ERRORS.service_unavailable.status ? ['Retry-After', RETRY_AFTER_SECONDS] : []),
  ]
  return { status, reason: STATUS_CODES[status] ?? '', rawHeaders, body }
}

/**
 * Ends an exchange that its deployment did not answer whole. If nothing was passed on yet, the caller gets a 503; otherwise its
 * connection is closed, which is the only way to say that the rest is missing.
 */
export function answerFailure(exchange: Exchange): void {
  if (exchange.outcome !== null) return
  const { response } = exchange
  end(exchange, 'primary_failed')
  if (response.headersSent) response.destroy()
  else write(response, makeRefusal('service_unavailable', 'The service behind this gateway did not answer'))
}

/** Refuses a request whose target is neither a path nor an http(s) URL, so there is nothing to ask a deployment for. */
export const refuseTarget = (response: ServerResponse): void =>
  write(response, makeRefusal('invalid_request', 'The request target must be a path'))

function write(response: ServerResponse, { status, reason, rawHeaders, body }: HeldAnswer): void {
  response.writeHead(status, reason, [...rawHeaders]).end(body)
}
