import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { findEventBody, toDelivery } from '../find-deliveries.ts'
import { requireDelivery } from '../require-delivery.ts'

/** GET /webhooks/deliveries/{delivery_id} */
export function retrieveDelivery(
  context: WebhooksContext,
): Handler<Contract['webhooks']['retrieveDelivery']> {
  return async ({ params, request }) => {
    const row = await requireDelivery(context.database, principalOf(request), params.delivery_id)
    const body = await findEventBody(context.database, row.event_id)
    return { status: 200, body: { ...toDelivery(row), body, attempts: row.attempts } }
  }
}
