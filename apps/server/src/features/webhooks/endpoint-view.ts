import type { WebhookEndpoint } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { WebhookEndpointTable } from './tables.ts'

export type EndpointRow = Selectable<WebhookEndpointTable>

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  endpoint_id: row.endpoint_id,
  url: row.url,
  events: row.events,
  livemode: row.livemode,
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
