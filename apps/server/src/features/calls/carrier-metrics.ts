import type { Meter } from '@vaani/service-kit/telemetry/meter'
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
    buckets: [2, 2.5, 3, 3.5, 4, 4.2, 4.4],
  }),
})
export type CarrierMetrics = ReturnType<typeof declareCarrierMetrics>

/** Counts the end of a call that was dialled. */
export function countEnd(metrics: CarrierMetrics, { carrier, end }: { carrier: string; end: CallEnd }): void {
  const { durationSeconds, sipStatus, quality } = end
  const status = durationSeconds === undefined ? classOf(sipStatus) : 'answered'
  metrics.calls.add({ carrier, status })
  if (quality?.mos !== undefined) metrics.mos.observe({ carrier }, quality.mos)
}

const classOf = (sipStatus = 0): (typeof ENDS)[number] =>
  ENDS.find((one) => one === `${Math.trunc(sipStatus / 100)}xx`) ?? 'none'
