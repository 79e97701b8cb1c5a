import type { Pool } from 'pg'
import type { Boss } from '../jobs/boss.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { keepFresh } from './keep-fresh.ts'
import type { Meter } from './meter.ts'

const POOL_STATES = ['total', 'idle', 'waiting'] as const
const LIMITER_STORES = ['redis', 'memory'] as const
const JOB_STATES = ['deferred', 'ready', 'active', 'failed'] as const

/** Declares metrics of the resources of every service: connection pool, job queues and limiter. */
export const declareResourceMetrics = (meter: Meter, queues: readonly string[]) => ({
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
  jobs: meter.gauge({
    name: 'vaani_jobs',
    help: 'Jobs of a queue in all processes, counted every few seconds by a worker',
    labels: { queue: queues, state: JOB_STATES },
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
    boss: Boss
    queues: readonly string[]
    limiterState: () => string
    hasRedis: boolean
    workers: readonly BackgroundWorker[]
    isWorker: boolean
  },
): void {
  const { pool, boss, queues, limiterState, hasRedis, workers, isWorker } = options
  metrics.connections.follow({ state: 'total' }, () => pool.totalCount)
  metrics.connections.follow({ state: 'idle' }, () => pool.idleCount)
  metrics.connections.follow({ state: 'waiting' }, () => pool.waitingCount)
  for (const store of LIMITER_STORES)
    metrics.limiterStore.follow({ store }, () => Number(limiterState() === store))
  metrics.limiterDegraded.follow({}, () => Number(hasRedis && limiterState() === 'memory'))
  metrics.workers.follow({}, () => workers.filter((worker) => !worker.isWorking()).length)
  if (!isWorker || queues.length === 0) return
  // The job engine keeps these counts in the row of each queue.
  const readQueues = keepFresh(() => boss.getQueues([...queues]))
  for (const queue of queues)
    for (const state of JOB_STATES)
      metrics.jobs.follow({ queue, state }, async () => {
        const found = (await readQueues()).find(({ name }) => name === queue)
        return found === undefined ? null : Number(found[`${state}Count`])
      })
}
