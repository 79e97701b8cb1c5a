import type { IncomingMessage, ServerResponse } from 'node:http'
import { contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { baseHeaders } from '@vaani/service-kit/http/refusals/malformed-refusal'
import { chooseRequestId } from '@vaani/service-kit/http/observe/request-id'
import type { IdMaker } from '@vaani/service-kit/ids'

const { health, ready } = contract.system
const METHODS = ['GET', 'HEAD']
const RETRY_SECONDS = 2

/** Answers the probes of the gateway itself, which do not pass through. */
export function createProbes(options: {
  makeId: IdMaker
  isStopping(): boolean
  /** For the operator: none of them decides whether the gateway is ready, because it forwards without them. */
  checks(): Readonly<Record<string, string>>
}): { answer(request: IncomingMessage, response: ServerResponse): boolean } {
  const { makeId, isStopping, checks } = options

  function readiness(requestId: string): { status: number; body: object; headers?: Record<string, string> } {
    if (!isStopping()) return { status: 200, body: { status: 'ok', checks: checks() } }
    const error = new ApiError('service_unavailable', 'Not ready: running', {
      details: [{ param: 'running', message: 'is not working' }],
      retryAfterSeconds: RETRY_SECONDS,
    })
    const headers = { 'retry-after': String(RETRY_SECONDS) }
    return { status: error.status, body: error.toBody(requestId), headers }
  }

  return {
    /** Whether the request was a probe. */
    answer(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1)
      if ((path !== health.path && path !== ready.path) || !METHODS.includes(request.method ?? ''))
        return false
      const requestId = chooseRequestId(request, makeId)
      const { status, body, headers } =
        path === health.path ? { status: 200, body: { status: 'ok' } } : readiness(requestId)
      const text = JSON.stringify(body)
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
          ...baseHeaders(requestId),
          ...headers,
        })
        .end(request.method === 'HEAD' ? undefined : text)
      return true
    },
  }
}
