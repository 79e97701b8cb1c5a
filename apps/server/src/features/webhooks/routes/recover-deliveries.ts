import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { resendDead } from '../resend.ts'

/** POST /webhooks/deliveries/recover */
export function recoverDeliveries(context: WebhooksContext): Handler<Contract['webhooks']['recover']> {
  return async ({ body, request }) => {
    const tenant = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const range = {
      since: new Date(body.since),
      ...(body.until !== undefined && { until: new Date(body.until) }),
    }
    const resent = await resendDead(context.database, tenant, range, now)
    context.wake()
    return { status: 202, body: { resent } }
  }
}
