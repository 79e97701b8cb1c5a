import { PAIR_KINDS, type PairKind } from '@vaani/contracts/migration'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { EXCHANGE_OUTCOMES, type ExchangeOutcome } from './exchange.ts'

/**
 * Why a sampled submission was not handed to the worker. `buffer`: it arrived faster than the store takes it; `caller_left`:
 * before it was whole or answered.
 */
export const DROP_REASONS = [
  'buffer',
  'spool_full',
  'spool_failed',
  'too_large',
  'caller_left',
  'not_a_form',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export interface GatewayMetrics {
  dropped(reason: DropReason): void
  sampled(kind: PairKind): void
  ended(outcome: ExchangeOutcome): void
  /** Reads gauges at each scrape. */
  follow(read: {
    spool(): { bytes: number; submissions: number } | null
    flagAgeMs(): number | null
    /** Null if there is none to run. */
    isWorkerRunning(): boolean | null
  }): void
}

export function declareGatewayMetrics(meter: Meter): GatewayMetrics {
  const dropped = meter.counter({
    name: 'vaani_shadow_dropped_total',
    help: 'Sampled submissions that the gateway did not hand to the worker, by reason; their callers noticed nothing',
    labels: { reason: DROP_REASONS },
  })
  const sampled = meter.counter({
    name: 'vaani_shadow_sampled_total',
    help: 'Submissions that the gateway handed to the worker',
    labels: { kind: PAIR_KINDS },
  })
  const exchanges = meter.counter({
    name: 'vaani_shadow_gateway_requests_total',
    help: 'Requests that passed through the gateway, by how they ended',
    labels: { outcome: EXCHANGE_OUTCOMES },
  })
  const spoolBytes = meter.gauge({
    name: 'vaani_shadow_spool_bytes',
    help: 'Size of the submissions that wait for the worker',
  })
  const spoolSubmissions = meter.gauge({
    name: 'vaani_shadow_spool_submissions',
    help: 'Submissions that wait for the worker',
  })
  const flagAge = meter.gauge({
    name: 'vaani_shadow_flag_age_seconds',
    help: 'Time since the gateway last read the flag that a worker publishes',
  })
  const worker = meter.gauge({
    name: 'vaani_shadow_worker_running',
    help: 'Whether the worker that the gateway supervises runs',
  })
  return {
    dropped: (reason) => dropped.add({ reason }),
    sampled: (kind) => sampled.add({ kind }),
    ended: (outcome) => exchanges.add({ outcome }),
    follow(read) {
      spoolBytes.follow({}, () => read.spool()?.bytes ?? null)
      spoolSubmissions.follow({}, () => read.spool()?.submissions ?? null)
      flagAge.follow({}, () => {
        const ageMs = read.flagAgeMs()
        return ageMs === null ? null : ageMs / 1000
      })
      worker.follow({}, () => {
        const isRunning = read.isWorkerRunning()
        return isRunning === null ? null : Number(isRunning)
      })
    },
  }
}
