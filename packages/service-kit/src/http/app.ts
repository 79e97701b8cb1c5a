import type { Server } from 'node:http'
import { LIMITS, type RouteMetadata } from '@vaani/contracts'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { IdMaker } from '../ids.ts'
import type { Limiter } from '../limits/create-limiter.ts'
import type { Events } from '../telemetry/events.ts'
import type { Logger } from '../telemetry/log.ts'
import type { AddressLimits } from './limits/address-limits.ts'
import { ApiError } from './errors/api-error.ts'
import type { Authenticator } from './authenticator.ts'
import { authorize, refuseModel } from './authorize.ts'
import { allowOrigins } from './cors.ts'
import { endBrokenRequests, refuseBroken } from './connection/cut-requests.ts'
import { sendError, type TranslateError } from './refusals/handle-errors.ts'
import { findMalformation } from './body/find-malformation.ts'
import { addIdempotency, takeDigest } from './idempotency/idempotency-hooks.ts'
import type { IdempotencyStore } from './idempotency/idempotency.ts'
import { readJsonBodies } from './body/json-body.ts'
import { baseHeaders } from './refusals/malformed-refusal.ts'
import { innerCallerOf } from './inner/inner-requests.ts'
import { giveBackRefused, limitByModel, limitRequest } from './limits/rate-limits.ts'
import type { OnRefusal } from './refusals/describe-refusal.ts'
import { chooseRequestId } from './observe/request-id.ts'
import { isOfPage, takePrefix } from './page-requests.ts'
import { measureRequests, type RequestMetrics } from './observe/request-metrics.ts'
import { type RequestTraces, traceRequests } from './observe/request-spans.ts'
import { toRoutableTarget } from './request-target.ts'
import { metadataOf, metadataOfConfig } from './ts-rest.ts'
import { createTraffic } from './inner/traffic.ts'
import { trackRoutes } from './errors/unknown-routes.ts'
import { upgradeOf } from './connection/upgrades.ts'

/** Above Node's limit on the request head, so that the schema of a parameter decides whether it is too long. */
const MAX_PARAM_LENGTH = 65_536

/** Dependencies of the layer between connections and the handlers of a service. */
export interface Edge {
  log: Logger
  settings: { trustedProxies: readonly string[]; corsOrigins: readonly string[] }
  makeId: IdMaker
  limiter: Limiter
  addressLimits: AddressLimits
  authenticator: Authenticator
  idempotency: IdempotencyStore
  events: Events<'upload_cut'>
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal
  /** Translates errors of the libraries that the service uses. */
  translate: TranslateError
  /** What to say at paths that are not served, by their beginning. */
  notServed: Readonly<Record<string, string>>
  onRefusal: readonly OnRefusal[]
  /** Null disables request metrics. */
  requestMetrics: RequestMetrics | null
  /** Null disables request traces. */
  requestTraces: RequestTraces | null
}

/**
 * Creates the application without its routes: request ids, the order of checks (key, scope, rate, size, shape, meaning,
 * state), idempotency and the error body, which are the same for every mounted route. The caller makes `server` listen and
 * closes it; without a server, the application can only be called in process.
 */
export async function createApp(edge: Edge, server?: Server): Promise<FastifyInstance> {
  const { log, settings, translate, onRefusal } = edge
  const logger: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBodyBytes,
    trustProxy: settings.trustedProxies.length > 0 && [...settings.trustedProxies],
    rewriteUrl: (message) => toRoutableTarget(takePrefix(message, edge.authenticator.pages?.prefix)),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    ...(server && { serverFactory: () => server }),
    genReqId: (message) => chooseRequestId(message, edge.makeId),
    // Hooks do not run before a route is known, so set the headers here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(baseHeaders(request.id))
      return sendError({ error, request, reply, log, translate, onRefusal })
    },
    // `answerInPlaceOfNode` handles this, also before the application exists.
    clientErrorHandler: () => undefined,
  })
  // First, so that requests refused by any hook are measured and traced too.
  if (edge.requestMetrics) measureRequests(app, edge.requestMetrics)
  app.decorateRequest('span', null)
  if (edge.requestTraces) traceRequests(app, edge.requestTraces)
  // Refuse text bodies instead of parsing them, because no route reads them.
  app.removeContentTypeParser('text/plain')
  readJsonBodies(app, takeDigest)
  app.decorateRequest('principal', null)
  app.decorate('traffic', createTraffic())
  // Before the other hooks, so that pages can read refusals too.
  await allowOrigins(app, settings.corsOrigins)

  app.addHook('onRoute', (route) => {
    const metadata = metadataOfConfig(route.config)
    if (metadata) route.bodyLimit = metadata.bodyLimitBytes
  })
  addEntry(app, edge)
  // Before the idempotency key is claimed, so that a refusal leaves it free.
  app.addHook('preHandler', (request, reply, done) => {
    const refusal = refuseModel(request.principal, request.body)
    if (refusal !== null) return done(refusal)
    const limit = metadataOf(request)?.limit
    if (typeof limit !== 'object' || limit === null) return done()
    const { by_model: limits } = limit
    limitByModel({ request, reply, named: request.body, limits, limiter: edge.limiter }).then(
      () => done(),
      done,
    )
  })
  addIdempotency(app, edge.idempotency)
  // After the digest of what was sent.
  app.addHook('preHandler', (request, _, done) => {
    if (request.body === undefined && request.routeOptions.config.tsRestRoute?.isBodyOptional === true)
      request.body = {}
    done()
  })
  app.addHook('onSend', (request, reply, _, done) => {
    const { pages } = edge.authenticator
    if (!pages || reply.statusCode >= 400 || !isOfPage(request)) return done()
    pages.note(request).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, _, done) => {
    const giving = giveBackRefused(request, reply)
    if (giving === null) return done()
    giving.then(() => done(), done)
  })
  app.addHook('onSend', (_, reply, __, done) => {
    // Make the client send its next request to another server.
    if (edge.stopping.aborted) reply.header('connection', 'close')
    done()
  })
  if (log.isLevelEnabled('debug')) logResponses(app, log)
  endBrokenRequests(app)
  app.setErrorHandler((given, request, reply) => {
    const error = refuseBroken(given, request, edge.events) ?? given
    return sendError({ error, request, reply, log, translate, onRefusal })
  })
  return app
}

/** Refuses, before the body is read, whatever its head is enough to refuse. */
function addEntry(app: FastifyInstance, edge: Edge): void {
  const { log, translate, onRefusal } = edge
  const explainUnknown = trackRoutes(app, edge.notServed)
  // Called from the first hook, before the body is read.
  async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await edge.addressLimits.consume('unknown_routes', request, reply)
    const { error, allow } = explainUnknown(request)
    if (allow !== null) reply.header('allow', allow)
    return sendError({ error, request, reply, log, translate, onRefusal })
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(baseHeaders(request.id))
    // Browsers keep nothing of what their people looked at.
    if (isOfPage(request)) reply.header('cache-control', 'no-store')
    const malformation = findMalformation(request.raw)
    if (malformation !== null) {
      reply.header('connection', 'close')
      throw malformation
    }
    const metadata = metadataOf(request)
    const isUnknown = request.is404 || (request.routeOptions.config.socket && !upgradeOf(request))
    if (isUnknown) return answerUnknown(request, reply)
    if (metadata === undefined) return undefined
    await admit(edge, request, reply, metadata)
    const isCaller = metadata.access === 'key' && !metadata.background
    if (isCaller && innerCallerOf(request.raw) === undefined) app.traffic.enter(reply.raw)
    requireDeclaredSize(request, metadata)
    requirePlainBody(request, metadata)
    return undefined
  })
}

function logResponses(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.debug({
      request_id: request.id,
      trace_id: request.span?.traceId,
      operation: metadataOf(request)?.operation,
      account_id: request.principal?.accountId,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
    })
    done()
  })
}

/** Checks key, scope and rate, or the limit of the address if the route is public. */
async function admit(
  { stopping, authenticator, addressLimits, limiter }: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  metadata: RouteMetadata,
): Promise<void> {
  if (metadata.access === 'public') {
    if (metadata.addressLimit !== null) await addressLimits.consume(metadata.addressLimit, request, reply)
    return
  }
  if (stopping.aborted)
    throw new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 1 })
  await authorize({ request, reply, metadata, authenticator, addressLimits })
  if (metadata.limit !== null || metadata.concurrency !== null) await limitRequest(request, reply, limiter)
}

/** Refuses a body by its declared size, before a 100 (Continue) requests it. */
function requireDeclaredSize(request: FastifyRequest, { bodyLimitBytes, errors }: RouteMetadata): void {
  if (errors.includes('payload_too_large') && Number(request.headers['content-length']) > bodyLimitBytes)
    throw new ApiError('payload_too_large', 'The body is over the size limit')
}

/** Refuses compressed bodies, because the server does not decompress. */
function requirePlainBody(request: FastifyRequest, { errors }: RouteMetadata): void {
  const coding = request.headers['content-encoding']
  if (
    coding !== undefined &&
    coding.toLowerCase() !== 'identity' &&
    errors.includes('unsupported_media_type')
  )
    throw new ApiError('unsupported_media_type', 'content-encoding: must be identity', {
      param: 'content-encoding',
    })
}
