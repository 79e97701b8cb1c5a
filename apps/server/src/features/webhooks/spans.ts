import { ATTEMPT_ERRORS, WEBHOOK_EVENT_TYPES } from '@vaani/contracts'
import type { Tracer } from '@vaani/service-kit/telemetry/tracer'

/** No address of a receiver: its path and its query often hold a secret. */
export const declareWebhookSpans = (tracer: Tracer) => ({
  attempt: tracer.declare({
    name: 'webhooks.attempt',
    kind: 'client',
    fields: {
      'vaani.event_id': 'id',
      'vaani.object_id': 'id',
      'vaani.account_id': 'id',
      'vaani.endpoint_id': 'id',
      'vaani.event_type': WEBHOOK_EVENT_TYPES,
      'vaani.attempt': 'number',
      'vaani.outcome': ['delivered', 'retried', 'dead'],
      'http.response.status_code': 'number',
      'error.type': ATTEMPT_ERRORS,
    },
  }),
})

export type WebhookSpans = ReturnType<typeof declareWebhookSpans>
