import type { QueryKey } from '@tanstack/react-query'
import type { WebhookDelivery } from '@vaani/client'

/** A type of event, of which a webhook can be sent and a page is told. */
export type EventType = WebhookDelivery['event_type']

type Changes = (id: string) => readonly QueryKey[]

const ofCall: Changes = (id) => [['calls'], ['call', id]]
const ofVerification: Changes = (id) => [
  ['verifications'],
  ['verification', id],
  ['subject'],
  ['reviews'],
  ['review', id],
  ['history', id],
  ['review-history', id],
]
const ofBatch: Changes = (id) => [['batches'], ['batch', id]]
const ofEndpoint: Changes = (id) => [['endpoints'], ['endpoint', id]]

/** The queries to read again after an event of each type about an object, by the beginnings of their keys. The compiler misses types that are not here. */
const CHANGES: Readonly<Record<EventType, Changes>> = {
  'call.queued': ofCall,
  'call.in_progress': ofCall,
  'call.completed': ofCall,
  'call.failed': ofCall,
  'verification.review': ofVerification,
  'verification.approved': ofVerification,
  'verification.declined': ofVerification,
  // No page lists documents.
  'document.completed': (id) => [['document', id]],
  'batch.completed': ofBatch,
  'batch.failed': ofBatch,
  'batch.canceled': ofBatch,
  'webhook.endpoint_failing': ofEndpoint,
  'webhook.endpoint_disabled': ofEndpoint,
}

const isEventType = (name: string): name is EventType => name in CHANGES

/** The types of events that an endpoint can receive. */
export const EVENT_TYPES = Object.keys(CHANGES).filter(isEventType)

/** Returns the keys of what changes with an event; none if a newer server sends a type that this page does not know. */
export const changesOf = ({ type, object_id }: { type: string; object_id: string }): readonly QueryKey[] =>
  isEventType(type) ? CHANGES[type](object_id) : []

/** The keys of everything that events change. */
export const ALL_CHANGES: readonly QueryKey[] = [
  ...new Set(EVENT_TYPES.flatMap((type) => CHANGES[type]('').map(([first]) => first))),
].map((first) => [first])

/**
 * Queries, by the first part of their keys, of which no change is without an event. Of others, something is: verifications are submitted,
 * reviews claimed, batches begun and endpoints created without one.
 */
const TOLD: ReadonlySet<unknown> = new Set(['calls', 'call', 'verification'])

/** Whether events tell of every change of a query. */
export const isTold = ([first]: QueryKey): boolean => TOLD.has(first)
