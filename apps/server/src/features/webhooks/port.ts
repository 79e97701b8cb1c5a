import type { Tenant } from '@vaani/service-kit/tenant'
import type { SecretStore } from './secret-store.ts'

export { eraseEvents } from './erase-events.ts'
export { ownerOf } from './secret-store.ts'
export type { EventTable } from './tables.ts'
export { FILL_OUTBOX, OUTBOX_COLUMNS, writeEvent } from './write-event.ts'

/** What the webhooks feature offers to the other features. */
export interface WebhooksPort {
  /** @throws ApiError naming `param` if no webhook may be sent to the URL */
  requireDestination(url: string, param: string): Promise<void>
  /** @throws ApiError naming `param` if the tenant has no secret to sign webhooks with */
  requireTenantSecret(tenant: Tenant, param: string): Promise<void>
  secrets: SecretStore
  /** Signals new events, to deliver them now instead of at the next poll. */
  wake(): void
}
