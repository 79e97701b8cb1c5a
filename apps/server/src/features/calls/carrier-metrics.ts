import type { Meter } from '@vaani/service-kit/telemetry/meter'
import type { CarrierWatch } from './carriers/watch-carriers.ts'
import type { CallEnd } from './call-step.ts'

/** Of calls that were not answered, the class of the final SIP status. */
const ENDS = ['answered', '3xx', '4xx', '5xx', '6xx', 'none'] as const

/** Declares the metrics of carriers. @param carriers names of the operator's file, which are few */
export const declareCarrierMetrics = (meter: Meter, carriers: readonly string[]) => ({
  calls: meter.counter({
    name: 'vaani_carrier_calls_total',
    help: 'Calls that ended: answered, or the class of the final SIP status; none if there was no status',
    labels: { carrier: carriers, status: ENDS },
  }),
  mos: meter.histogram({
    name: 'vaani_carrier_mos',
    help: 'Estimated mean opinion score of answered calls, from 1 to 4.5',
    labels: { carrier: carriers },
    // The borders between categories of transmission quality (ITU-T G.109, table 1).
    buckets: [2.58, 3.1, 3.6, 4.03, 4.34],
  }),
  up: meter.gauge({
    name: 'vaani_carrier_up',
    help: 'Whether the trunk of a carrier takes calls, 1 or 0; absent while this is not known',
    labels: { carrier: carriers },
  }),
})
export type CarrierMetrics = ReturnType<typeof declareCarrierMetrics>

const UP = { up: 1, down: 0, unknown: null } as const

/** Makes each scrape read the health of the carriers. */
export function followHealth(metrics: CarrierMetrics, { names, health }: CarrierWatch): void {
  for (const carrier of names) metrics.up.follow({ carrier }, () => UP[health(carrier)?.state ?? 'unknown'])
}

/** Counts the end of a call that was dialled. */
export function countEnd(metrics: CarrierMetrics, { carrier, end }: { carrier: string; end: CallEnd }): void {
  const { durationSeconds, sipStatus, quality } = end
  const status = durationSeconds === undefined ? classOf(sipStatus) : 'answered'
  metrics.calls.add({ carrier, status })
  if (quality?.mos !== undefined) metrics.mos.observe({ carrier }, quality.mos)
}

const classOf = (sipStatus = 0): (typeof ENDS)[number] =>
  ENDS.find((one) => one === `${Math.trunc(sipStatus / 100)}xx`) ?? 'none'
