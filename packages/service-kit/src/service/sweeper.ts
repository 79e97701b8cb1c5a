import type { Logger } from '../telemetry/log.ts'
import type { Sweeps } from './define-feature.ts'

const SWEEP_INTERVAL_MS = 600_000

/** Runs the sweeps of a service again and again. */
export interface Sweeper {
  /** Runs all of them now, one after another. One that fails is tried again at its next turn. */
  sweep(): Promise<void>
  /** Begins none any more; resolves when the one under way has ended. */
  stop(): Promise<void>
}

export function startSweeper({
  sweeps,
  stopping,
  log,
}: {
  sweeps: Sweeps
  stopping: AbortSignal
  log: Logger
}): Sweeper {
  async function sweep(): Promise<void> {
    for (const [what, run] of Object.entries(sweeps))
      if (!stopping.aborted)
        await run().catch((error: unknown) => log.warn({ error }, `The sweep of ${what} failed`))
  }
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => (sweeping = undefined))
  }, SWEEP_INTERVAL_MS)
  return {
    sweep,
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
