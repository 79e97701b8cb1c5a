import { ATTEMPT_ERRORS, type DeliveryAttempt, WEBHOOK_EVENT_TYPES } from '@vaani/contracts'
import type { SpanOf, Tracer } from '@vaani/service-kit/telemetry/tracer'
import type { Delivery } from './delivery/lanes/delivery.ts'
import { isSuccess } from './rules/judge-attempt.ts'

const OUTCOMES = ['delivered', 'retried', 'dead'] as const

/** Declares the span of an attempt. It omits the receiver's URL, because path and query often hold a secret. */
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
      'vaani.outcome': OUTCOMES,
      'http.response.status_code': 'number',
      'error.type': ATTEMPT_ERRORS,
    },
  }),
})

export type WebhookSpans = ReturnType<typeof declareWebhookSpans>
export type AttemptSpan = SpanOf<WebhookSpans['attempt']>

export function describeAttempt(span: AttemptSpan, delivery: Delivery): void {
  span?.set({
    'vaani.event_id': delivery.event_id,
    'vaani.object_id': delivery.object_id,
    'vaani.account_id': delivery.account_id,
    'vaani.event_type': delivery.event_type,
    'vaani.attempt': delivery.round_attempts + 1,
    ...(delivery.endpoint_id !== null && { 'vaani.endpoint_id': delivery.endpoint_id }),
  })
}

export function describeEnd(
  span: AttemptSpan,
  { status, error }: DeliveryAttempt,
  outcome: (typeof OUTCOMES)[number],
): void {
  span?.set({
    'vaani.outcome': outcome,
    ...(status !== null && { 'http.response.status_code': status }),
    ...(error !== null && { 'error.type': error }),
  })
  if (!isSuccess(status)) span?.fail()
}
