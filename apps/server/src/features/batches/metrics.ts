import type { Db } from '@vaani/service-kit/database/connect'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { sql } from 'kysely'

export const declareBatchMetrics = (meter: Meter) => ({
  running: meter.gauge({
    name: 'vaani_batch_requests_running',
    help: 'Requests of batches that this worker is making',
  }),
  open: meter.gauge({ name: 'vaani_batches_open', help: 'Batches that have not ended' }),
  ended: meter.counter({
    name: 'vaani_batch_requests_ended_total',
    help: 'Requests of batches that ended in this worker',
    labels: { outcome: ['succeeded', 'failed'] },
  }),
  retried: meter.counter({
    name: 'vaani_batch_requests_retried_total',
    help: 'Attempts of requests of batches that are made again',
  }),
})

export type BatchMetrics = ReturnType<typeof declareBatchMetrics>

/** Makes each scrape read the gauges. */
export function followBatches(
  metrics: BatchMetrics,
  { worker, database }: { worker: { running: () => number }; database: Db },
): void {
  metrics.running.follow({}, worker.running)
  metrics.open.follow({}, async () => {
    const { rows } = await openBatches().execute(database)
    return rows[0]?.open ?? 0
  })
}

/** Counts open batches, of which every account may have few. */
const openBatches = () => sql<{ open: number }>`
  select count(*)::integer as open from batches where status in ('queued', 'running') and received_at is not null`
