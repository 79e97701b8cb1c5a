import type { Clock } from '../clock.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Meter } from '../telemetry/meter.ts'
import { repeat } from '../lifecycle/repeat.ts'
import type { Sweeps } from './define-feature.ts'

const SWEEP_INTERVAL_MS = 600_000

/** Runs the sweeps of a service periodically. */
export interface Sweeper {
  /** Runs all sweeps now, one after another. A failed sweep is retried in the next round. */
  sweep(): Promise<void>
  /** Starts no further sweep; resolves when the running one has ended. */
  stop(): Promise<void>
}

export function startSweeper({
  sweeps,
  stopping,
  clock,
  meter,
  log,
}: {
  sweeps: Sweeps
  stopping: AbortSignal
  clock: Clock
  meter: Meter
  log: Logger
}): Sweeper {
  const metrics = declareSweepMetrics(meter, Object.keys(sweeps))
  const last = new Map<string, { endedSeconds: number; tookSeconds: number | null }>()
  for (const sweep of Object.keys(sweeps)) {
    // Counts from the start until the first sweep, so that a process that never sweeps is noticed too.
    last.set(sweep, { endedSeconds: clock.nowMs() / 1000, tookSeconds: null })
    metrics.succeeded.follow({ sweep }, () => last.get(sweep)?.endedSeconds ?? null)
    metrics.duration.follow({ sweep }, () => last.get(sweep)?.tookSeconds ?? null)
  }

  async function runOne(sweep: string, run: () => Promise<void>): Promise<void> {
    const startedMs = performance.now()
    try {
      await run()
      const tookSeconds = (performance.now() - startedMs) / 1000
      last.set(sweep, { endedSeconds: clock.nowMs() / 1000, tookSeconds })
    } catch (error) {
      metrics.failed.add({ sweep })
      log.warn({ error }, `The sweep of ${sweep} failed`)
    }
  }

  async function sweep(): Promise<void> {
    for (const [what, run] of Object.entries(sweeps)) if (!stopping.aborted) await runOne(what, run)
  }
  const sweeping = repeat({
    name: 'sweeps',
    everyMs: SWEEP_INTERVAL_MS,
    firstMs: SWEEP_INTERVAL_MS,
    run: sweep,
    onError: (error) => log.warn({ error }, 'The sweeps failed'),
  })
  return { sweep, stop: sweeping.stop }
}

export const declareSweepMetrics = (meter: Meter, sweeps: readonly string[]) => ({
  succeeded: meter.gauge({
    name: 'vaani_sweep_last_success_timestamp_seconds',
    help: 'When a sweep last succeeded; the start of the process until it has',
    labels: { sweep: sweeps },
  }),
  duration: meter.gauge({
    name: 'vaani_sweep_duration_seconds',
    help: 'Duration of the last successful sweep',
    labels: { sweep: sweeps },
  }),
  failed: meter.counter({
    name: 'vaani_sweep_failures_total',
    help: 'Sweeps that failed; each is retried in the next round',
    labels: { sweep: sweeps },
  }),
})
