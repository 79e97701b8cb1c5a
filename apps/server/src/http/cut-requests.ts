import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Events } from '../events.ts'
import { ApiError } from './api-error.ts'
import { metadataOf } from './ts-rest.ts'

/** Codes of Node: the connection closed within a request, or the caller ended its side there. */
const CUT_CODES = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE'])

/** Ends requests that broke off before their bodies were read: whoever read them now would wait for ever. */
export function endBrokenRequests(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _, payload, done) => {
    if (request.raw.errored !== null && hasBody(request)) done(request.raw.errored)
    else done(null, payload)
  })
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** The answer to a request whose own body failed; null if something else did. A caller that hangs up is no fault of ours. */
export function refuseBroken(error: unknown, request: FastifyRequest, events: Events): ApiError | null {
  const { errored } = request.raw
  if (errored === null || error !== errored) return null
  if ('code' in errored && CUT_CODES.has(String(errored.code)))
    events.record('upload_cut', {
      request_id: request.id,
      operation: metadataOf(request)?.operation ?? 'none',
    })
  // Read by callers that have only ended their side, or sent what cannot be read.
  return new ApiError('invalid_request', 'The request broke off or cannot be read', { cause: errored })
}
