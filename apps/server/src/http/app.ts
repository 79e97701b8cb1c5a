import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '@vaani/contracts'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { AppContext } from '../context.ts'
import { ApiError } from './api-error.ts'
import { authorize } from './authorize.ts'
import { allowOrigins } from './cors.ts'
import { sendError } from './errors.ts'
import { addIdempotency } from './idempotency-hooks.ts'
import { limitRequest } from './rate-limits.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { metadataOf, metadataOfConfig } from './ts-rest.ts'
import { trackRoutes } from './unknown-routes.ts'

/** How long a caller may take to send a whole request; an upload of 50 MB fits at 200 kB/s. */
const REQUEST_TIMEOUT_MS = 300_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
const MAX_PARAM_LENGTH = 256

/**
 * The application without its routes: request ids, order of checks (key, scope, rate, size, shape, meaning, state),
 * idempotency and the error body, the same for every route that is mounted on it.
 */
export async function createApp(context: AppContext): Promise<FastifyInstance> {
  const { log, config } = context
  const logger: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: 'idle',
    genReqId: (message) => chooseRequestId(message, context.makeId),
    // Before a route is known the hooks do not run, so the header is set here.
    frameworkErrors: (error, request, reply) => {
      reply.header(REQUEST_ID_HEADER, request.id)
      return sendError({ error, request, reply, log })
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, context),
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
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    const metadata = metadataOf(request)
    if (metadata === undefined || metadata.access === 'public') return
    await authorize(request, metadata, context.authenticator)
    if (metadata.limit !== null || metadata.concurrency !== null)
      await limitRequest(request, reply, context.limiter)
  })
  addIdempotency(app, context.idempotency)
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
  app.setErrorHandler((error, request, reply) => sendError({ error, request, reply, log }))
  app.setNotFoundHandler((request, reply) => {
    const { error, allow } = explainUnknown(request)
    if (allow !== null) reply.header('allow', allow)
    return sendError({ error, request, reply, log })
  })
  return app
}

/** Answers bytes that are not HTTP, or headers past their bound: the parser gives no request to answer. */
function answerMalformed(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse },
  context: AppContext,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy()
    return
  }
  const requestId = context.makeId('request')
  const body = JSON.stringify(
    new ApiError('invalid_request', 'The request is not well-formed HTTP').toBody(requestId),
  )
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
