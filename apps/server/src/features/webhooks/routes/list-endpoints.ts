import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { endpointsOf } from '../endpoint-store.ts'
import { toEndpoint } from '../endpoint-view.ts'

/** GET /webhooks/endpoints */
export function listEndpoints(context: WebhooksContext): Handler<Contract['webhooks']['listEndpoints']> {
  return async ({ query: { limit, cursor }, request }) => {
    let query = endpointsOf(context.database, principalOf(request))
    if (cursor !== undefined) query = query.where('endpoint_id', '<', cursor)
    const rows = await query
      .orderBy('endpoint_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.endpoint_id, view: toEndpoint }) }
  }
}
