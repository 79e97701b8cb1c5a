import type { Pool } from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { repeat } from '../lifecycle/repeat.ts'
import { createWorkerLease, TICK_MS, type WorkerLease } from './worker-lease.ts'

/** For a process without background work. */
export const NO_LEASE: WorkerLease = { current: () => null }

/**
 * Takes a lease for this process and keeps renewing it. Disposing releases the lease, so that others take over at once whatever
 * it still holds.
 *
 * @throws Error if the database does not respond
 */
export async function startWorkerLease({
  pool,
  log,
}: {
  pool: Pool
  log: Logger
}): Promise<WorkerLease & AsyncDisposable> {
  let isStopping = false
  const lease = createWorkerLease({
    pool,
    nowMs: () => performance.now(),
    onLost({ workerId }) {
      if (!isStopping) log.warn({ worker_id: workerId }, 'This worker lost its lease')
    },
  })
  await lease.tick()
  const ticking = repeat({
    name: 'lease',
    everyMs: TICK_MS,
    firstMs: TICK_MS,
    run: lease.tick,
    onError: (error) => log.warn({ error }, 'This worker could not renew its lease'),
  })
  return {
    current: () => lease.current(),
    async [Symbol.asyncDispose]() {
      isStopping = true
      await ticking.stop()
      await lease
        .giveBack()
        .catch((error: unknown) =>
          log.warn({ error }, 'This worker could not release its lease, which will expire'),
        )
    },
  }
}
