import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { listDeliveries as readPage, toDelivery } from '../find-deliveries.ts'

/** GET /webhooks/deliveries */
export function listDeliveries(context: WebhooksContext): Handler<Contract['webhooks']['listDeliveries']> {
  return async ({ query: { limit, ...filter }, request }) => {
    const rows = await readPage(context.database, principalOf(request), { ...filter, limit: limit + 1 })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.delivery_id, view: toDelivery }) }
  }
}
