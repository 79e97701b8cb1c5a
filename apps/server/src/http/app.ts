import type { Server } from 'node:http'
import { LIMITS, type RouteMetadata } from '@vaani/contracts'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { AppContext } from '../context.ts'
import { ApiError } from './api-error.ts'
import { authorize } from './authorize.ts'
import { answerMalformed } from './connection/answer-malformed.ts'
import { allowOrigins } from './cors.ts'
import { endBrokenRequests, refuseBroken } from './cut-requests.ts'
import { sendError } from './errors.ts'
import { addIdempotency } from './idempotency-hooks.ts'
import { limitRequest } from './rate-limits.ts'
import { refuseMalformed } from './refuse-malformed.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { metadataOf, metadataOfConfig } from './ts-rest.ts'
import { trackRoutes } from './unknown-routes.ts'

const MAX_PARAM_LENGTH = 256

/**
 * The application without its routes: request ids, order of checks (key, scope, rate, size, shape, meaning, state),
 * idempotency and the error body, the same for every route that is mounted on it. The server is somebody else's to listen
 * and to close; without one it can't be reached.
 */
export async function createApp(context: AppContext, server?: Server): Promise<FastifyInstance> {
  const { log, config } = context
  const logger: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBodyBytes,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    ...(server && { serverFactory: () => server }),
    genReqId: (message) => chooseRequestId(message, context.makeId),
    // Before a route is known the hooks do not run, so the header is set here.
    frameworkErrors: (error, request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id)
      return sendError({ error, request, reply, log })
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, refuseMalformed(context.makeId)),
  })
  // What no route reads is refused, not read as text.
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('principal', null)
  // First, so that pages can read refusals too.
  await allowOrigins(app, config.corsOrigins)
  const explainUnknown = trackRoutes(app)

  app.addHook('onRoute', (route) => {
    const metadata = metadataOfConfig(route.config)
    if (metadata) route.bodyLimit = metadata.bodyLimitBytes
  })
  // Called from the first hook, so that the body is not read.
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const { error, allow } = explainUnknown(request)
    if (allow !== null) reply.header('allow', allow)
    return sendError({ error, request, reply, log })
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    const metadata = metadataOf(request)
    if (metadata === undefined) return request.is404 ? answerUnknown(request, reply) : undefined
    if (metadata.access !== 'public') {
      if (context.stopping.aborted)
        throw new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 1 })
      await authorize(request, metadata, context.authenticator)
      if (metadata.limit !== null || metadata.concurrency !== null)
        await limitRequest(request, reply, context.limiter)
    }
    requireDeclaredSize(request, metadata)
    return undefined
  })
  addIdempotency(app, context.idempotency)
  app.addHook('onSend', (_, reply, __, done) => {
    // The next request goes elsewhere.
    if (context.stopping.aborted) reply.header('connection', 'close')
    done()
  })
  if (log.isLevelEnabled('debug'))
    app.addHook('onResponse', (request, reply, done) => {
      log.debug({
        request_id: request.id,
        operation: metadataOf(request)?.operation,
        account_id: request.principal?.accountId,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
      })
      done()
    })
  endBrokenRequests(app)
  app.setErrorHandler((given, request, reply) => {
    const error = refuseBroken(given, request, context.events) ?? given
    return sendError({ error, request, reply, log })
  })
  return app
}

/** Refuses a body by its declared size, before a 100 asks for it. */
function requireDeclaredSize(request: FastifyRequest, { bodyLimitBytes, errors }: RouteMetadata): void {
  if (errors.includes('payload_too_large') && Number(request.headers['content-length']) > bodyLimitBytes)
    throw new ApiError('payload_too_large', 'The body is over the size limit')
}
