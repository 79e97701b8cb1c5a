import { WEBHOOK_RETRY_WINDOW_SECONDS, type Contract } from '@vaani/contracts'
import { byIndex } from '@vaani/service-kit/database/by-index'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { insertPending, runIn, wakeLanes } from '../delivery/settle/pending-rows.ts'
import { toDelivery } from '../find-deliveries.ts'
import { requireDelivery } from '../require-delivery.ts'
import { requireEndpoint } from '../require-endpoint.ts'
import { insertEvent } from '../write-event.ts'

/** POST /webhooks/endpoints/{endpoint_id}/test */
export function sendTestEvent(context: WebhooksContext): Handler<Contract['webhooks']['sendTestEvent']> {
  return async ({ params, body: { type }, request }) => {
    const { clock, makeId, samples } = context
    const makeSample = samples.get(type)
    if (makeSample === undefined) throw new Error(`No feature provides a sample of ${type}`)
    const { accountId, livemode } = principalOf(request)
    const tenant = { accountId, livemode }
    const { endpoint_id, enabled } = await requireEndpoint(context.database, tenant, params.endpoint_id)
    if (!enabled) throw new ApiError('state_conflict', 'The endpoint is disabled')
    const now = new Date(clock.nowMs())
    const { objectId, data } = makeSample({ now, makeId, livemode })
    const event_id = makeId('event')
    const delivery_id = makeId('delivery')
    const shared = { event_id, account_id: accountId, livemode, object_id: objectId, created_at: now }
    const row = await byIndex(context.database, async (tx) => {
      // Bypass the outbox, because the event is for this endpoint only.
      const body = JSON.stringify({ event_id, type, created_at: now.toISOString(), data })
      const sequence = await insertEvent(tx, { ...shared, type, body })
      await wakeLanes(runIn(tx), [endpoint_id], now)
      await insertPending(runIn(tx), {
        ...shared,
        delivery_id,
        event_type: type,
        sequence,
        lane_id: endpoint_id,
        endpoint_id,
        url: null,
        resent: false,
        attempt_count: 0,
        round_attempts: 0,
        queued_at: now,
        first_attempt_at: null,
        next_attempt_at: now,
        expires_at: new Date(now.getTime() + WEBHOOK_RETRY_WINDOW_SECONDS * 1000),
        attempts: [],
      })
      return requireDelivery(tx, tenant, delivery_id)
    })
    context.wake()
    return { status: 202, body: toDelivery(row) }
  }
}
