import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Events } from '../../telemetry/events.ts'
import { ApiError } from '../errors/api-error.ts'
import { metadataOf } from '../ts-rest.ts'

/** Node's codes for a connection that closed during a request, and for a caller that ended its side during one. */
const CUT_CODES = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE'])

/** Ends requests that broke off before anything read their bodies. A reader that starts later would wait forever. */
export function endBrokenRequests(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _, payload, done) => {
    if (request.raw.errored !== null && hasBody(request)) done(request.raw.errored)
    else done(null, payload)
  })
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Returns the refusal of a request whose body failed; null for any other error. Counts callers that hang up as `upload_cut`. */
export function refuseBroken(
  error: unknown,
  request: FastifyRequest,
  events: Events<'upload_cut'>,
): ApiError | null {
  const { errored } = request.raw
  if (errored === null || error !== errored) return null
  if ('code' in errored && CUT_CODES.has(String(errored.code)))
    events.record('upload_cut', {
      request_id: request.id,
      operation: metadataOf(request)?.operation ?? 'none',
    })
  // This reaches callers that only ended their side, or sent a malformed body.
  return new ApiError('invalid_request', 'The request broke off or cannot be read', { cause: errored })
}
