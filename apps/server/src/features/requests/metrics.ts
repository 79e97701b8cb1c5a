import type { Meter } from '@vaani/service-kit/telemetry/meter'

export const declareRequestMetrics = (meter: Meter) => ({
  dropped: meter.counter({
    name: 'vaani_requests_refusals_dropped_total',
    help: 'Refused requests that the list of them lacks, because the database was away for too long',
  }),
})

export type RequestMetrics = ReturnType<typeof declareRequestMetrics>
