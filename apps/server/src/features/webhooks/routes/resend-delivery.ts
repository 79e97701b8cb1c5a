import type { Contract } from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { toDelivery } from '../find-deliveries.ts'
import { requireDelivery } from '../require-delivery.ts'
import { resendOne } from '../resend.ts'

/** POST /webhooks/deliveries/{delivery_id}/resend */
export function resendDelivery(context: WebhooksContext): Handler<Contract['webhooks']['resend']> {
  return async ({ params, request }) => {
    const tenant = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const row = await byIndex(context.database, async (tx) => {
      const found = await requireDelivery(tx, tenant, params.delivery_id)
      if (found.is_orphan) throw new ApiError('state_conflict', 'The endpoint was deleted')
      if (found.url === null) throw new ApiError('state_conflict', 'The callback URL was erased')
      await resendOne(tx, tenant, found, now)
      return requireDelivery(tx, tenant, params.delivery_id)
    })
    context.wake()
    return { status: 202, body: toDelivery(row) }
  }
}
