import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from '@vaani/service-kit/lifecycle/node-http'
import { type ErrorBody, type ErrorCode, ERRORS } from '@vaani/contracts'
import { explainMalformed } from '@vaani/service-kit/http/refusals/malformed-refusal'
import { RequestMessage } from '@vaani/service-kit/http/connection/messages'
import type { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { end, type Exchange, type ExchangeOutcome, type HeldAnswer } from './exchange.ts'

const RETRY_AFTER_SECONDS = '1'
/** Node's code if a caller ends its side in the midst of a request. It may still read the answer. */
const ENDED_TOO_EARLY = 'HPE_INVALID_EOF_STATE'

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
  const message = 'The service behind this gateway did not answer'
  breakOff(exchange, 'primary_failed', makeRefusal('service_unavailable', message))
}

/** Refuses an exchange without asking its deployment, or gives up what was asked. */
export function refuse(exchange: Exchange, error: ApiError, outcome: ExchangeOutcome = 'refused'): void {
  breakOff(exchange, outcome, makeRefusal(error.code, error.message, error.param))
  exchange.abort()
}

/** Refuses an exchange as soon as the rest of its request turns out not to be HTTP, or does not arrive in time. */
export function refuseIfMalformed(exchange: Exchange): void {
  const { request } = exchange
  request.once('error', (error: Error & { code?: string }) => {
    // Other errors are of callers that left, or of deployments that no longer want the body.
    if (!(request instanceof RequestMessage) || !request.isAbandoned) return
    refuse(exchange, explainMalformed(error), error.code === ENDED_TOO_EARLY ? 'caller_left' : 'refused')
  })
}

function breakOff(exchange: Exchange, outcome: ExchangeOutcome, answer: HeldAnswer): void {
  if (exchange.outcome !== null) return
  end(exchange, outcome)
  const { response } = exchange
  if (response.headersSent) response.destroy()
  else write(response, answer)
}

function write(response: ServerResponse, { status, reason, rawHeaders, body }: HeldAnswer): void {
  response.writeHead(status, reason, [...rawHeaders]).end(body)
}
