import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { createLateFields } from './delivery/send/late-fields.ts'
import { startDeliveries } from './delivery/start-deliveries.ts'
import { parseAllowedRanges } from './destination/address-ranges.ts'
import { requireDestination } from './destination/require-destination.ts'
import { countEndpoints } from './endpoint-store.ts'
import { createEventFeed } from './feed/event-feed.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from './events.ts'
import { declareWebhookMetrics, type WebhookMetrics } from './metrics.ts'
import * as webhooks from './migrations/0003-webhooks.ts'
import * as outbox from './migrations/0007-webhook-outbox.ts'
import * as months from './migrations/0016-months-breaking.ts'
import * as monthsByFunctions from './migrations/0043-months-by-functions.ts'
import * as eventsInOrder from './migrations/0049-events-in-order.ts'
import * as lateFieldsMigration from './migrations/0027-late-fields.ts'
import type { WebhooksPort } from './port.ts'
import { requireTenantSecret } from './require-tenant-secret.ts'
import { createEndpoint } from './routes/create-endpoint.ts'
import { deleteEndpoint } from './routes/delete-endpoint.ts'
import { listDeliveries } from './routes/list-deliveries.ts'
import { listEndpoints } from './routes/list-endpoints.ts'
import { recoverDeliveries } from './routes/recover-deliveries.ts'
import { resendDelivery } from './routes/resend-delivery.ts'
import { retrieveDelivery } from './routes/retrieve-delivery.ts'
import { retrieveEndpoint } from './routes/retrieve-endpoint.ts'
import { rotateAccountSecret } from './routes/rotate-account-secret.ts'
import { rotateSecret } from './routes/rotate-secret.ts'
import { sendTestEvent } from './routes/send-test-event.ts'
import { updateEndpoint } from './routes/update-endpoint.ts'
import { ENDPOINT_SAMPLES, type MakeSample } from './rules/sample-event.ts'
import { createSecretStore } from './secret-store.ts'
import { type WebhookSettings, webhookSettings } from './settings.ts'
import { declareWebhookSpans, type WebhookSpans } from './spans.ts'
import { sweepOldWebhooks } from './sweep-old.ts'

type Needs = Pick<
  Services,
  'clock' | 'connection' | 'database' | 'held' | 'isWorker' | 'log' | 'makeId' | 'sockets' | 'vault'
> & { settings: WebhookSettings; events: Events<WebhookEvent>; metrics: WebhookMetrics; spans: WebhookSpans }

/** Webhook endpoints, signatures, and delivery of the events that other features write. */
export const webhooksFeature = defineFeature({
  name: 'webhooks',
  contract: { webhooks: contract.webhooks },
  settings: webhookSettings,
  migrations: {
    '0003-webhooks': webhooks,
    '0007-webhook-outbox': outbox,
    '0016-months-breaking': months,
    '0027-late-fields': lateFieldsMigration,
    '0043-months-by-functions': monthsByFunctions,
    '0049-events-in-order': eventsInOrder,
  },
  events: WEBHOOK_EVENTS,
  metrics: declareWebhookMetrics,
  spans: declareWebhookSpans,
  sealed: [
    // In this order, because a rotation moves a secret from the first column to the second.
    { table: 'webhook_secrets', column: 'sealed', id: 'owner_id' },
    { table: 'webhook_secrets', column: 'previous_sealed', id: 'owner_id' },
  ],
  async start(needs: Needs) {
    const { settings, database, clock, makeId, isWorker, vault } = needs
    const secrets = createSecretStore({ database, vault, clock })
    const lateFields = createLateFields()
    const deliveries = isWorker ? startDeliveries({ ...needs, secrets, lateFields }) : null
    const allowed = parseAllowedRanges(settings.callbackAllowCidrs)
    const samples = new Map<string, MakeSample>(Object.entries(ENDPOINT_SAMPLES))
    const port: WebhooksPort = {
      requireDestination: (url, param) => requireDestination(url, param, allowed),
      requireTenantSecret: (tenant, param) => requireTenantSecret(secrets, tenant, param),
      secrets,
      feed: createEventFeed(needs),
      provideLateField: lateFields.provide,
      provideSamples(more) {
        for (const [type, make] of Object.entries(more)) samples.set(type, make)
      },
      wake: () => deliveries?.wake(),
    }
    const context = { ...port, database, clock, makeId, samples }
    return {
      mounts: [
        handle(contract.webhooks, {
          createEndpoint: createEndpoint(context),
          listEndpoints: listEndpoints(context),
          retrieveEndpoint: retrieveEndpoint(context),
          updateEndpoint: updateEndpoint(context),
          deleteEndpoint: deleteEndpoint(context),
          rotateSecret: rotateSecret(context),
          rotateAccountSecret: rotateAccountSecret(context),
          sendTestEvent: sendTestEvent(context),
          listDeliveries: listDeliveries(context),
          retrieveDelivery: retrieveDelivery(context),
          resend: resendDelivery(context),
          recover: recoverDeliveries(context),
        }),
      ],
      port,
      counters: { endpoints: (tenant) => countEndpoints(database, tenant) },
      workers: deliveries ? [deliveries] : [],
      sweeps: { 'old webhooks': () => sweepOldWebhooks(database, clock) },
    }
  },
})
