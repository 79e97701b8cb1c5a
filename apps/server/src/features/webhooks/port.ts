import type { Tenant } from '@vaani/service-kit/tenant'
import type { ReadLateField } from './delivery/send/late-fields.ts'
import type { EventFeed } from './feed/event-feed.ts'
import type { MakeSample } from './rules/sample-event.ts'
import type { SecretStore } from './secret-store.ts'

export type { EventFeed, FollowedEvents } from './feed/event-feed.ts'
export type { RecentEvent } from './feed/recent-events.ts'
export { eraseEvents } from './erase-events.ts'
export { ownerOf } from './secret-store.ts'
export { deriveEventId } from './rules/event-id.ts'
export type { MakeSample, Samples } from './rules/sample-event.ts'
export type { EventTable } from './tables.ts'
export { eventWith, type NewEvent, writeEvent } from './write-event.ts'

/** What the webhooks feature offers to the other features. */
export interface WebhooksPort {
  /** @throws ApiError naming `param` if no webhook may be sent to the URL */
  requireDestination(url: string, param: string): Promise<void>
  /** @throws ApiError naming `param` if the tenant has no secret to sign webhooks with */
  requireTenantSecret(tenant: Tenant, param: string): Promise<void>
  secrets: SecretStore
  feed: EventFeed
  /** Sets how to read a field that events name as `late_field`. Call it before `start` awaits anything: events may be waiting. */
  provideLateField(field: string, read: ReadLateField): void
  /** Sets how to make the sample events that an endpoint can be tested with. */
  provideSamples(samples: Readonly<Record<string, MakeSample>>): void
  /** Signals new events, to deliver them now instead of at the next poll. */
  wake(): void
}
