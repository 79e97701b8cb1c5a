import type { FastifyInstance } from 'fastify'
import type { Meter } from '../../telemetry/meter.ts'
import { STATUS_CODES } from '../../lifecycle/node-http.ts'
import { innerCallerOf } from '../inner/inner-requests.ts'
import { metadataOf } from '../ts-rest.ts'

/** Label of requests for no route of the contract. */
const NO_OPERATION = 'none'
/** Label if the caller disconnected before the end of the response. */
const ABORTED = 'aborted'
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Declares rate, errors and durations by the contract's name of each operation, never by path. */
export function declareRequestMetrics(meter: Meter, operations: readonly string[]) {
  const operation = [...operations, NO_OPERATION]
  return {
    answered: meter.counter({
      name: 'vaani_http_requests_total',
      help: 'Requests by operation and status; aborted if the caller disconnected before the end of the response',
      labels: { operation, status: [...Object.keys(STATUS_CODES), ABORTED] },
    }),
    duration: meter.histogram({
      name: 'vaani_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response; for streams, their whole duration',
      labels: { operation },
      buckets: BUCKETS_SECONDS,
    }),
    inFlight: meter.gauge({
      name: 'vaani_http_requests_in_flight',
      help: 'Requests being served',
      labels: { operation },
    }),
    operations: operation,
  }
}

export type RequestMetrics = ReturnType<typeof declareRequestMetrics>

/** Measures every request that reaches the application. */
export function measureRequests(app: FastifyInstance, metrics: RequestMetrics): void {
  const byOperation = new Map(metrics.operations.map((operation) => [operation, { operation, inFlight: 0 }]))
  for (const measured of byOperation.values())
    metrics.inFlight.follow({ operation: measured.operation }, () => measured.inFlight)
  const unknown = { operation: NO_OPERATION, inFlight: 0 }
  app.addHook('onRequest', (request, reply, done) => {
    // Nobody waits for a request that the process makes itself.
    if (innerCallerOf(request.raw)) return done()
    const measured = byOperation.get(metadataOf(request)?.operation ?? NO_OPERATION) ?? unknown
    const { raw } = reply
    measured.inFlight++
    // Unlike the response hooks, `close` is also emitted if the caller disconnects first.
    raw.on('close', () => {
      const { operation } = measured
      measured.inFlight--
      metrics.answered.add({
        operation,
        status: raw.writableFinished || raw.statusCode === 101 ? String(raw.statusCode) : ABORTED,
      })
      metrics.duration.observe({ operation }, reply.elapsedTime / 1000)
    })
    done()
  })
}
