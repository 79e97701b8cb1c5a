import type { Pool } from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { createWorkerLease, TICK_MS, type WorkerLease } from './worker-lease.ts'

/** Of a process that works on nothing in the background. */
export const NO_LEASE: WorkerLease = { current: () => null }

/**
 * Leases this process and keeps renewing. Disposing it gives the lease back, so others take over at once what is still held.
 *
 * @throws Error if the database does not answer
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
      if (!isStopping) log.warn({ worker_id: workerId }, 'The lease of this worker is lost')
    },
  })
  await lease.tick()
  let ticking: Promise<void> | undefined
  const timer = setInterval(() => {
    ticking ??= lease
      .tick()
      .catch((error: unknown) => log.warn({ error }, 'The lease of this worker was not renewed'))
      .finally(() => (ticking = undefined))
  }, TICK_MS)
  return {
    current: () => lease.current(),
    async [Symbol.asyncDispose]() {
      isStopping = true
      clearInterval(timer)
      await ticking
      await lease
        .giveBack()
        .catch((error: unknown) => log.warn({ error }, 'The lease of this worker runs out by itself'))
    },
  }
}
