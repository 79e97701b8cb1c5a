import type { CreateWebhookEndpointRequest } from '@vaani/client'

export type EventType = CreateWebhookEndpointRequest['events'][number]

// As a record, so that the compiler misses those that are not here.
const LISTED: Readonly<Record<EventType, true>> = {
  'call.queued': true,
  'call.in_progress': true,
  'call.completed': true,
  'call.failed': true,
  'verification.review': true,
  'verification.approved': true,
  'verification.declined': true,
  'document.completed': true,
  'batch.completed': true,
  'batch.failed': true,
  'batch.canceled': true,
  'webhook.endpoint_failing': true,
  'webhook.endpoint_disabled': true,
}

const isEventType = (name: string): name is EventType => name in LISTED

/** The types of events that an endpoint can receive. */
export const EVENT_TYPES = Object.keys(LISTED).filter(isEventType)
