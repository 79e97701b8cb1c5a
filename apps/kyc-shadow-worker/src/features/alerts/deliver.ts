import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { AlertDeliveries, DueAlert } from './delivery-store.ts'
import type { AlertEvent } from './events.ts'
import type { AlertMetrics } from './metrics.ts'
import { retryDelayMs } from './rules/retry.ts'
import type { SendAlert } from './send.ts'
import type { Target } from './targets.ts'

/** Alerts that are sent to one target at a time. */
const AT_ONCE = 4
const POLL_MS = 1000

/** Sends the alerts of one target, each until it is accepted or the last attempt has failed. */
export function startAlertDelivery(options: {
  lease: WorkerLease
  deliveries: AlertDeliveries
  target: Target
  send: SendAlert
  events: Events<AlertEvent>
  metrics: AlertMetrics
  log: Logger
}): BackgroundWorker {
  const { lease, deliveries, target, send, events, metrics, log } = options

  async function deliver(alert: DueAlert): Promise<void> {
    const { event, event_id } = alert
    const attempt = alert.attempts + 1
    try {
      await send(event)
    } catch (error) {
      log.warn({ error, reason: target, attempt }, 'An alert could not be sent')
      const delayMs = retryDelayMs(attempt)
      metrics.alerts.add({ target, outcome: delayMs === null ? 'failed' : 'retried' })
      if (delayMs !== null) return deliveries.postpone(target, alert, delayMs)
      events.record('shadow_alert_failed', { event_id, reason: target })
      return deliveries.end(target, alert)
    }
    metrics.alerts.add({ target, outcome: 'sent' })
    await deliveries.end(target, alert)
  }

  return startClaimLoop<DueAlert>({
    name: 'alerts',
    lease,
    places: AT_ONCE,
    pollMs: POLL_MS,
    claim: (request) => deliveries.claim(target, request),
    work: deliver,
    onClaimError: (error) => log.warn({ error }, 'Alerts are waiting for the database'),
    // Its claim runs out.
    onWorkError: (error, { event_id }) => log.warn({ error, event_id }, 'An alert may be sent again'),
  })
}
