import type { Boss } from '@vaani/service-kit/jobs/boss'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { AlertJob } from './alerts.ts'
import type { AlertEvent } from './events.ts'
import type { AlertMetrics } from './metrics.ts'
import { queueOf, RETRIES, type Target } from './queues.ts'
import type { SendAlert } from './send.ts'

/** Alerts that are sent to one target at a time. */
const AT_ONCE = 4

/** Sends the alerts of one target, each until it is accepted or the last attempt has failed. */
export async function deliverAlerts(options: {
  boss: Boss
  target: Target
  send: SendAlert
  events: Events<AlertEvent>
  metrics: AlertMetrics
  log: Logger
}): Promise<void> {
  const { boss, target, send, events, metrics, log } = options
  await boss.work<AlertJob>(
    queueOf(target),
    {
      batchSize: 1,
      localConcurrency: AT_ONCE,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 1,
    },
    async ([job]) => {
      if (job === undefined) return
      try {
        await send(job.data.event)
        metrics.alerts.add({ target, outcome: 'sent' })
      } catch (error) {
        const isLast = job.retryCount >= RETRIES
        metrics.alerts.add({ target, outcome: isLast ? 'failed' : 'retried' })
        log.warn({ error, reason: target, attempt: job.retryCount + 1 }, 'An alert could not be sent')
        if (isLast)
          events.record('shadow_alert_failed', { event_id: job.data.event.event_id, reason: target })
        throw error
      }
    },
  )
}
