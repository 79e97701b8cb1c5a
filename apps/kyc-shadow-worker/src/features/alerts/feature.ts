import { defineFeature } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { Agent } from 'undici'
import { createAlerts } from './alerts.ts'
import { deliverAlerts } from './deliver.ts'
import { ALERT_EVENTS, type AlertEvent } from './events.ts'
import { type AlertMetrics, declareAlertMetrics } from './metrics.ts'
import * as alerts from './migrations/0003-alerts.ts'
import { alertQueues, queueOf, type Target } from './queues.ts'
import { type SendAlert, slackSender, webhookSender } from './send.ts'
import { type AlertSettings, alertSettings } from './settings.ts'
import { writeToLog } from './write-to-log.ts'

const CONNECT_TIMEOUT_MS = 5000
const MAX_CONNECTIONS = 4

type Needs = Pick<Services, 'boss' | 'clock' | 'database' | 'held' | 'isWorker' | 'log' | 'makeId'> & {
  settings: AlertSettings
  events: Events<AlertEvent>
  metrics: AlertMetrics
}

/** Alerts a person to mismatches, to evidence against the candidate, and to changes. */
export const alertsFeature = defineFeature({
  name: 'alerts',
  contract: {},
  settings: alertSettings,
  migrations: { '0003-alerts': alerts },
  queues: alertQueues,
  events: ALERT_EVENTS,
  metrics: declareAlertMetrics,
  async start(needs: Needs) {
    const { boss, clock, held, isWorker, events } = needs
    const { webhook, slackUrl } = needs.settings.alerts
    const dispatcher = new Agent({ connections: MAX_CONNECTIONS, connect: { timeout: CONNECT_TIMEOUT_MS } })
    held.defer(() => dispatcher.destroy())
    const senders = new Map<Target, SendAlert>([['log', async (event) => writeToLog(events, event)]])
    if (webhook !== null) senders.set('webhook', webhookSender(webhook, { clock, dispatcher }))
    if (slackUrl !== null) senders.set('slack', slackSender(slackUrl, dispatcher))
    const targets = [...senders.keys()]
    if (isWorker) for (const [target, send] of senders) await deliverAlerts({ ...needs, target, send })
    const port = createAlerts({ ...needs, targets })
    return {
      mounts: [],
      port,
      sweeps: { 'alerts held back': port.releaseHeld },
      workers: [
        {
          name: 'alerts',
          isWorking: () => true,
          async stop() {
            if (!isWorker) return
            for (const target of targets)
              await boss.offWork(queueOf(target), { wait: true }).catch(() => undefined)
          },
        },
      ],
    }
  },
})
