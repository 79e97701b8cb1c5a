import { type Contract, WEBHOOK_RETRY_WINDOW_SECONDS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { AppContext } from '../../context.ts'
import type { Db } from '@vaani/service-kit/database/connect'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { requireEndpoint } from './endpoints.ts'
import {
  type DeliveryRow,
  findDeliveries,
  listDeliveries as readPage,
  toDelivery,
} from './find-deliveries.ts'
import { insertPending, runIn, wakeLanes } from './delivery/pending-rows.ts'
import { resendDead, resendOne } from './resend.ts'
import { makeSample } from './rules/sample-events.ts'

type Webhooks = Contract['webhooks']

/** A delivery of the tenant. An unknown id, another account's and another mode's are the same 404. */
async function requireDelivery(database: Db, tenant: Tenant, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await findDeliveries(database, tenant, { delivery_id: deliveryId, limit: 1 })
  if (row === undefined) throw new ApiError('not_found', 'There is no such delivery in this account')
  return row
}

/** GET /webhooks/deliveries */
export function listDeliveries(context: AppContext): Handler<Webhooks['listDeliveries']> {
  return async ({ query: { limit, ...filter }, request }) => {
    const rows = await readPage(context.database, principalOf(request), { ...filter, limit: limit + 1 })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.delivery_id, view: toDelivery }) }
  }
}

/** GET /webhooks/deliveries/{delivery_id} */
export function retrieveDelivery(context: AppContext): Handler<Webhooks['retrieveDelivery']> {
  return async ({ params, request }) => {
    const row = await requireDelivery(context.database, principalOf(request), params.delivery_id)
    const event = await context.database
      .selectFrom('events')
      .select('body')
      .where('event_id', '=', row.event_id)
      .executeTakeFirst()
    const body = { ...toDelivery(row), body: event?.body ?? null, attempts: row.attempts }
    return { status: 200, body }
  }
}

/** POST /webhooks/deliveries/{delivery_id}/resend */
export function resendDelivery(context: AppContext): Handler<Webhooks['resend']> {
  return async ({ params, request }) => {
    const tenant = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const row = await context.database.transaction().execute(async (tx) => {
      const found = await requireDelivery(tx, tenant, params.delivery_id)
      if (found.is_orphan) throw new ApiError('state_conflict', 'The endpoint was deleted')
      await resendOne(tx, tenant, found, now)
      return requireDelivery(tx, tenant, params.delivery_id)
    })
    context.deliveries?.wake()
    return { status: 202, body: toDelivery(row) }
  }
}

/** POST /webhooks/deliveries/recover */
export function recoverDeliveries(context: AppContext): Handler<Webhooks['recover']> {
  return async ({ body, request }) => {
    const tenant = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const resent = await resendDead(context.database, tenant, new Date(body.since), now)
    context.deliveries?.wake()
    return { status: 202, body: { resent } }
  }
}

/** POST /webhooks/endpoints/{endpoint_id}/test */
export function sendTestEvent(context: AppContext): Handler<Webhooks['sendTestEvent']> {
  return async ({ params, body: { type }, request }) => {
    const { clock, makeId } = context
    const { accountId, livemode } = principalOf(request)
    const tenant = { accountId, livemode }
    const { endpoint_id, enabled } = await requireEndpoint(context.database, tenant, params.endpoint_id)
    if (!enabled) throw new ApiError('state_conflict', 'The endpoint is disabled')
    const now = new Date(clock.nowMs())
    const { objectId, data } = makeSample({ type, now, makeId, livemode })
    const event_id = makeId('event')
    const delivery_id = makeId('delivery')
    const shared = { event_id, account_id: accountId, livemode, object_id: objectId, created_at: now }
    const row = await context.database.transaction().execute(async (tx) => {
      // Not into the outbox: it is for this endpoint only.
      const { sequence } = await tx
        .insertInto('events')
        .values({
          ...shared,
          type,
          body: JSON.stringify({ event_id, type, created_at: now.toISOString(), data }),
        })
        .returning('sequence')
        .executeTakeFirstOrThrow()
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
    context.deliveries?.wake()
    return { status: 202, body: toDelivery(row) }
  }
}
