import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { keepFresh } from '../telemetry/keep-fresh.ts'
import type { Meter } from '../telemetry/meter.ts'

const POOL_STATES = ['total', 'idle', 'waiting'] as const
const LIMITER_STORES = ['redis', 'memory'] as const

/** Declares metrics of the resources of every service: connection pool, limiter, workers and disks. */
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
  freeStorage: meter.gauge({
    name: 'vaani_storage_free_ratio',
    help: 'Free share, from 0 to 1, of the disk that the process writes to; the smaller one if it writes to two',
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
    folders: readonly string[]
  },
): void {
  const { pool, limiterState, hasRedis, workers, folders } = options
  metrics.connections.follow({ state: 'total' }, () => pool.totalCount)
  metrics.connections.follow({ state: 'idle' }, () => pool.idleCount)
  metrics.connections.follow({ state: 'waiting' }, () => pool.waitingCount)
  for (const store of LIMITER_STORES)
    metrics.limiterStore.follow({ store }, () => Number(limiterState() === store))
  metrics.limiterDegraded.follow({}, () => Number(hasRedis && limiterState() === 'memory'))
  metrics.workers.follow({}, () => workers.filter((worker) => !worker.isWorking()).length)
  const readFree = keepFresh(() => Promise.all(folders.map(freeRatioOf)))
  metrics.freeStorage.follow({}, async () => Math.min(...(await readFree())))
}

/** Returns the share of a folder's disk that is free for this process. */
async function freeRatioOf(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return bavail / blocks
}
