import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Meter } from '../telemetry/meter.ts'
import { metadataOf } from './ts-rest.ts'

/** Requests for no route of the contract. */
const NO_OPERATION = 'none'
/** The caller was gone before the answer was. */
const ABORTED = 'aborted'
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Rate, errors and durations of each operation, by the name that the contract gives it, never by its path. */
export function declareRequestMetrics(meter: Meter, operations: readonly string[]) {
  const operation = [...operations, NO_OPERATION]
  return {
    answered: meter.counter({
      name: 'vaani_http_requests_total',
      help: 'Requests by operation and status of the answer; aborted if the caller left before its end',
      labels: { operation, status: [...Object.keys(STATUS_CODES), ABORTED] },
    }),
    duration: meter.histogram({
      name: 'vaani_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer; of a stream, as long as it lasts',
      labels: { operation },
      buckets: BUCKETS_SECONDS,
    }),
    inFlight: meter.gauge({
      name: 'vaani_http_requests_in_flight',
      help: 'Requests that are being answered',
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
    const measured = byOperation.get(metadataOf(request)?.operation ?? NO_OPERATION) ?? unknown
    const { raw } = reply
    measured.inFlight++
    // Unlike the hooks for an answer, this comes also if the caller leaves before it.
    raw.on('close', () => {
      const { operation } = measured
      measured.inFlight--
      metrics.answered.add({
        operation,
        status: raw.writableFinished ? String(raw.statusCode) : ABORTED,
      })
      metrics.duration.observe({ operation }, reply.elapsedTime / 1000)
    })
    done()
  })
}
