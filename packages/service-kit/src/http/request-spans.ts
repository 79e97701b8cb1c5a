import { ERRORS, type RouteMetadata } from '@vaani/contracts'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { within } from '../telemetry/active-span.ts'
import type { Span, SpanSource, Tracer } from '../telemetry/tracer.ts'
import { metadataOf } from './ts-rest.ts'

/** The caller was gone before the answer was. */
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
  /** Whether a `traceparent` of a request is read. */
  readonly readsParents: boolean
}

/** A span for each operation that needs a key: health checks and documents would fill the traces with nothing. */
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
          // The template, never the path: a path has ids in it, and whatever a caller writes there.
          constants: { 'http.request.method': method, 'http.route': path },
        }),
      ]),
  )

const isTraced = ({ access }: RouteMetadata): boolean => access !== 'public'

/** Traces every request for an operation of the contract that is sampled. */
export function traceRequests(app: FastifyInstance, { spans, readsParents }: RequestTraces): void {
  app.addHook('onRequest', (request, reply, done) => {
    const given = readsParents ? request.headers['traceparent'] : undefined
    const source = spans.get(metadataOf(request)?.operation ?? '')
    const span = source?.startTrace(typeof given === 'string' ? toOrigin(request, given) : {}) ?? null
    if (span === null) return within(null, done)
    request.span = span
    const { raw } = reply
    // Unlike the hooks for an answer, this comes also if the caller leaves before it.
    raw.on('close', () => {
      const { accountId } = request.principal ?? {}
      span.set({
        'vaani.request_id': request.id,
        ...(accountId !== undefined && { 'vaani.account_id': accountId }),
      })
      if (raw.writableFinished) span.set({ 'http.response.status_code': raw.statusCode })
      else span.set({ 'error.type': ABORTED })
      if (raw.statusCode >= 500) span.fail()
      span.end()
    })
    within(span, done)
  })
  // Once more, because a body that arrives later is read outside of the first.
  app.addHook('preValidation', (request, _, done) => within(request.span, done))
}

/** Only a proxy that the operator trusts says which trace a request belongs to: anybody else could have all of theirs kept. */
const toOrigin = ({ ips = [] }: FastifyRequest, traceparent: string) =>
  ips.length > 1 ? { parent: traceparent } : { link: traceparent }
