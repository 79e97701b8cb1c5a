import { ERRORS, type RouteMetadata } from '@vaani/contracts'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { within } from '../../telemetry/active-span.ts'
import type { Span, SpanSource, Tracer } from '../../telemetry/tracer.ts'
import { metadataOf } from '../ts-rest.ts'

/** Error type if the caller disconnected before the end of the response. */
const ABORTED = 'aborted'

const FIELDS = {
  'http.response.status_code': 'number',
  'error.type': [...Object.keys(ERRORS), ABORTED],
  'vaani.request_id': 'id',
  'vaani.account_id': 'id',
} as const

declare module 'fastify' {
  interface FastifyRequest {
    /** Null unless the request is sampled. */
    span: Span<typeof FIELDS> | null
  }
}

export interface RequestTraces {
  /** By operation. */
  readonly spans: ReadonlyMap<string, SpanSource<typeof FIELDS>>
  /** Whether to read the `traceparent` of requests. */
  readonly readsParents: boolean
}

/** Declares a span for each operation that needs a key. Health checks and documents would only clutter the traces. */
export const declareRequestSpans = (
  tracer: Tracer,
  routes: readonly DocumentedRoute[],
): RequestTraces['spans'] =>
  new Map(
    routes
      .filter(({ metadata }) => isTraced(metadata))
      .map(({ method, path, metadata }) => [
        metadata.operation,
        tracer.declare({
          name: metadata.operation,
          kind: 'server',
          fields: FIELDS,
          // The template, never the path, because a path contains ids and whatever a caller puts there.
          constants: { 'http.request.method': method, 'http.route': path },
        }),
      ]),
  )

const isTraced = ({ access }: RouteMetadata): boolean => access !== 'public'

/** Traces every sampled request for a declared operation. */
export function traceRequests(app: FastifyInstance, { spans, readsParents }: RequestTraces): void {
  app.addHook('onRequest', (request, reply, done) => {
    const given = readsParents ? request.headers['traceparent'] : undefined
    const source = spans.get(metadataOf(request)?.operation ?? '')
    const span = source?.startTrace(typeof given === 'string' ? toOrigin(request, given) : {}) ?? null
    if (span === null) return within(null, done)
    request.span = span
    const { raw } = reply
    // Unlike the response hooks, `close` is also emitted if the caller disconnects first.
    raw.on('close', () => {
      const { accountId } = request.principal ?? {}
      span.set({
        'vaani.request_id': request.id,
        ...(accountId !== undefined && { 'vaani.account_id': accountId }),
      })
      if (raw.writableFinished || raw.statusCode === 101)
        span.set({ 'http.response.status_code': raw.statusCode })
      else span.set({ 'error.type': ABORTED })
      if (raw.statusCode >= 500) span.fail()
      span.end()
    })
    within(span, done)
  })
  // Set the context again, because a body that arrives later is read outside the first one.
  app.addHook('preValidation', (request, _, done) => within(request.span, done))
}

/** Accepts a parent only from a trusted proxy and links other traces, because any caller could force sampling otherwise. */
const toOrigin = ({ ips = [] }: FastifyRequest, traceparent: string) =>
  ips.length > 1 ? { parent: traceparent } : { link: traceparent }
