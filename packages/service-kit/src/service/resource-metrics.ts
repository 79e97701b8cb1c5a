import type { Pool } from 'pg'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import type { Meter } from '../telemetry/meter.ts'

const POOL_STATES = ['total', 'idle', 'waiting'] as const
const LIMITER_STORES = ['redis', 'memory'] as const

/** Declares metrics of the resources of every service: connection pool, limiter and workers. */
export const declareResourceMetrics = (meter: Meter) => ({
  connections: meter.gauge({
    name: 'vaani_database_connections',
    help: 'Open and idle connections of the request pool, and requests waiting for one',
    labels: { state: POOL_STATES },
  }),
  limiterStore: meter.gauge({
    name: 'vaani_limiter_store',
    help: '1 for the store in which limits are currently counted',
    labels: { store: LIMITER_STORES },
  }),
  limiterDegraded: meter.gauge({
    name: 'vaani_limiter_degraded',
    help: '1 if Redis is configured but limits are counted in the memory of this process',
  }),
  workers: meter.gauge({
    name: 'vaani_workers_stuck',
    help: 'Background loops of this process that have not completed for 45 s',
  }),
})

/** Makes each scrape read the gauges. */
export function followResources(
  metrics: ReturnType<typeof declareResourceMetrics>,
  options: {
    pool: Pool
    limiterState: () => string
    hasRedis: boolean
    workers: readonly BackgroundWorker[]
  },
): void {
  const { pool, limiterState, hasRedis, workers } = options
  metrics.connections.follow({ state: 'total' }, () => pool.totalCount)
  metrics.connections.follow({ state: 'idle' }, () => pool.idleCount)
  metrics.connections.follow({ state: 'waiting' }, () => pool.waitingCount)
  for (const store of LIMITER_STORES)
    metrics.limiterStore.follow({ store }, () => Number(limiterState() === store))
  metrics.limiterDegraded.follow({}, () => Number(hasRedis && limiterState() === 'memory'))
  metrics.workers.follow({}, () => workers.filter((worker) => !worker.isWorking()).length)
}
