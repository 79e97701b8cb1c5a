import type { Tenant } from '@vaani/service-kit/tenant'
import type { SecretStore } from './secret-store.ts'

export { ownerOf } from './secret-store.ts'
export type { EventTable } from './tables.ts'
export { FILL_OUTBOX, OUTBOX_COLUMNS, writeEvent } from './write-event.ts'

/** What other features use of webhooks. */
export interface WebhooksPort {
  /** @throws ApiError naming `param` if no webhook may be sent to the URL */
  requireDestination(url: string, param: string): Promise<void>
  /** @throws ApiError naming `param` if what is sent there could not be signed, because the tenant was shown no secret */
  requireTenantSecret(tenant: Tenant, param: string): Promise<void>
  secrets: SecretStore
  /** Events were written: delivers them now rather than at the next look. */
  wake(): void
}
