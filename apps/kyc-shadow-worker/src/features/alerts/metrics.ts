import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { TARGETS } from './targets.ts'

export const declareAlertMetrics = (meter: Meter) => ({
  alerts: meter.counter({
    name: 'vaani_shadow_alerts_total',
    help: 'Attempts to send an alert; a failed one is not tried again',
    labels: { target: TARGETS, outcome: ['sent', 'retried', 'failed'] },
  }),
})
export type AlertMetrics = ReturnType<typeof declareAlertMetrics>
