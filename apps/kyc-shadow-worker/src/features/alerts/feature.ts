import { defineFeature } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { Agent } from 'undici'
import { createAlerts } from './alerts.ts'
import { startAlertDelivery } from './deliver.ts'
import { createAlertDeliveries } from './delivery-store.ts'
import { ALERT_EVENTS, type AlertEvent } from './events.ts'
import { type AlertMetrics, declareAlertMetrics } from './metrics.ts'
import * as alerts from './migrations/0003-alerts.ts'
import * as alertDeliveries from './migrations/0006-alert-deliveries.ts'
import { type SendAlert, slackSender, webhookSender } from './send.ts'
import { type AlertSettings, alertSettings } from './settings.ts'
import type { Target } from './targets.ts'
import { writeToLog } from './write-to-log.ts'

const CONNECT_TIMEOUT_MS = 5000
const MAX_CONNECTIONS = 4

type Needs = Pick<Services, 'clock' | 'database' | 'held' | 'isWorker' | 'lease' | 'log' | 'makeId'> & {
  settings: AlertSettings
  events: Events<AlertEvent>
  metrics: AlertMetrics
}

/** Alerts a person to mismatches, to evidence against the candidate, and to changes. */
export const alertsFeature = defineFeature({
  name: 'alerts',
  contract: {},
  settings: alertSettings,
  migrations: { '0003-alerts': alerts, '0006-alert-deliveries': alertDeliveries },
  events: ALERT_EVENTS,
  metrics: declareAlertMetrics,
  async start(needs: Needs) {
    const { clock, held, isWorker, events } = needs
    const { webhook, slackUrl } = needs.settings.alerts
    const dispatcher = new Agent({ connections: MAX_CONNECTIONS, connect: { timeout: CONNECT_TIMEOUT_MS } })
    held.defer(() => dispatcher.destroy())
    const senders = new Map<Target, SendAlert>([['log', async (event) => writeToLog(events, event)]])
    if (webhook !== null) senders.set('webhook', webhookSender(webhook, { clock, dispatcher }))
    if (slackUrl !== null) senders.set('slack', slackSender(slackUrl, dispatcher))
    const deliveries = createAlertDeliveries(needs)
    const port = createAlerts({ ...needs, deliveries, targets: [...senders.keys()] })
    return {
      mounts: [],
      port,
      sweeps: {
        'alerts held back': port.releaseHeld,
        'alerts of the previous version': deliveries.takeOverJobs,
      },
      workers: isWorker
        ? Array.from(senders, ([target, send]) => startAlertDelivery({ ...needs, deliveries, target, send }))
        : [],
    }
  },
})
