import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { runIn, wakeLanes } from '../delivery/settle/pending-rows.ts'
import { endpointsOf, updateEndpointRow } from '../endpoint-store.ts'
import { type EndpointRow, toEndpoint } from '../endpoint-view.ts'
import { requireEndpoint, throwNoEndpoint } from '../require-endpoint.ts'

/** Returns the columns that a change of `enabled` sets; none if it does not change. */
function enabling(row: EndpointRow, enabled: boolean | undefined, now: Date) {
  if (enabled === undefined || enabled === row.enabled) return {}
  return enabled
    ? { enabled, disabled_at: null, disabled_reason: null, failing_since: null, warned_at: null }
    : { enabled, disabled_at: now, disabled_reason: 'requested' as const }
}

/** PATCH /webhooks/endpoints/{endpoint_id} */
export function updateEndpoint(context: WebhooksContext): Handler<Contract['webhooks']['updateEndpoint']> {
  return async ({ params, body: { url, events, enabled }, request }) => {
    const tenant = principalOf(request)
    await requireEndpoint(context.database, tenant, params.endpoint_id)
    if (url === undefined && events === undefined && enabled === undefined)
      throw new ApiError('invalid_request', 'The body contains no changes')
    if (url !== undefined) await context.requireDestination(url, 'url')
    const now = new Date(context.clock.nowMs())
    const row = await context.database.transaction().execute(async (tx) => {
      const before = await endpointsOf(tx, tenant)
        .where('endpoint_id', '=', params.endpoint_id)
        .forUpdate()
        .executeTakeFirst()
      if (before === undefined) return undefined
      const changes = {
        ...(url !== undefined && { url }),
        ...(url !== undefined && url !== before.url && { failing_since: null, warned_at: null }),
        ...(events !== undefined && { events: [...new Set(events)] }),
        ...enabling(before, enabled, now),
      }
      // Waiting deliveries may now be sendable, or have another destination.
      await wakeLanes(runIn(tx), [params.endpoint_id], now)
      if (Object.keys(changes).length === 0) return before
      return updateEndpointRow(tx, params.endpoint_id, changes)
    })
    context.wake()
    return { status: 200, body: toEndpoint(row ?? throwNoEndpoint()) }
  }
}
