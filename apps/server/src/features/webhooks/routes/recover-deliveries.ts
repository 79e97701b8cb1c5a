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
    const resent = await resendDead(context.database, tenant, new Date(body.since), now)
    context.wake()
    return { status: 202, body: { resent } }
  }
}
