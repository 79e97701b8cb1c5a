import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { REFUSED_AT, REFUSING_LISTS } from './port.ts'

export const declareDoNotCallMetrics = (meter: Meter) => ({
  refusals: meter.counter({
    name: 'vaani_do_not_call_refusals_total',
    help: 'Calls that were not placed, or placed and not dialled, because a do-not-call list has the number',
    labels: { state: REFUSED_AT, reason: REFUSING_LISTS },
  }),
})

export type DoNotCallMetrics = ReturnType<typeof declareDoNotCallMetrics>
