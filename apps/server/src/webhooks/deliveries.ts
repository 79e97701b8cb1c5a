import type { Contract, WebhookDelivery } from '@vaani/contracts'
import { CompiledQuery, type Selectable } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Db } from '../database/connect.ts'
import type { WebhookDeliveryTable } from '../database/schema.ts'
import { ApiError } from '../http/api-error.ts'
import { principalOf } from '../http/authorize.ts'
import { toPage } from '../http/page.ts'
import type { Handler } from '../http/ts-rest.ts'
import { requireEndpoint } from './endpoints.ts'
import { insertDeliveries, type Run } from './new-deliveries.ts'
import { makeSample } from './sample-events.ts'
import { wakeLanes } from './wake-lanes.ts'

type DeliveryRow = Selectable<WebhookDeliveryTable>
/** With the address that its next attempt goes to. */
type AddressedRow = Omit<DeliveryRow, 'url'> & { url: string }

const toDelivery = (row: AddressedRow): WebhookDelivery => ({
  delivery_id: row.delivery_id as WebhookDelivery['delivery_id'],
  event_id: row.event_id as WebhookDelivery['event_id'],
  event_type: row.event_type,
  endpoint_id: row.endpoint_id as WebhookDelivery['endpoint_id'],
  url: row.url,
  status: row.status,
  dead_reason: row.dead_reason,
  resent: row.resent,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

const selectDeliveries = (database: Db, accountId: string) =>
  database
    .selectFrom('webhook_deliveries as delivery')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.endpoint_id', 'delivery.endpoint_id')
    .where('delivery.account_id', '=', accountId)
    .selectAll('delivery')
    .select(({ fn }) => fn.coalesce('endpoint.url', 'delivery.url').$notNull().as('url'))

/** A delivery of the account; an unknown id and another account's id are the same 404. */
async function requireDelivery(database: Db, accountId: string, deliveryId: string): Promise<AddressedRow> {
  const row = await selectDeliveries(database, accountId)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw new ApiError('not_found', 'There is no such delivery in this account')
  return row
}

/** GET /webhooks/deliveries */
export function listDeliveries(context: AppContext): Handler<Contract['webhooks']['listDeliveries']> {
  return async ({ query: { limit, cursor, status }, request }) => {
    let query = selectDeliveries(context.database, principalOf(request).accountId)
    if (cursor !== undefined) query = query.where('delivery_id', '<', cursor)
    if (status !== undefined) query = query.where('status', '=', status)
    const rows = await query
      .orderBy('delivery_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.delivery_id, view: toDelivery }) }
  }
}

/** GET /webhooks/deliveries/{delivery_id} */
export function retrieveDelivery(context: AppContext): Handler<Contract['webhooks']['retrieveDelivery']> {
  return async ({ params, request }) => {
    const { accountId } = principalOf(request)
    const row = await requireDelivery(context.database, accountId, params.delivery_id)
    const event = await context.database
      .selectFrom('events')
      .select('body')
      .where('event_id', '=', row.event_id)
      .executeTakeFirst()
    const body = { ...toDelivery(row), body: event?.body ?? null, attempts: row.attempts }
    return { status: 200, body }
  }
}

/** As new: due now, with the whole schedule before it. */
const sentAgain = (now: Date) => ({
  status: 'pending' as const,
  dead_reason: null,
  resent: true,
  round_attempts: 0,
  queued_at: now,
  first_attempt_at: null,
  next_attempt_at: now,
})

/** POST /webhooks/deliveries/{delivery_id}/resend */
export function resendDelivery(context: AppContext): Handler<Contract['webhooks']['resend']> {
  return async ({ params, request }) => {
    const { accountId } = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const row = await context.database.transaction().execute(async (tx) => {
      const { lane_id } = await requireDelivery(tx, accountId, params.delivery_id)
      await tx
        .updateTable('webhook_deliveries')
        .set(sentAgain(now))
        .where('account_id', '=', accountId)
        .where('delivery_id', '=', params.delivery_id)
        .execute()
      // After the delivery, as in a recovery: in turned order the two would wait for each other.
      await wakeLanes(tx, [lane_id], now)
      return requireDelivery(tx, accountId, params.delivery_id)
    })
    context.deliveries?.wake()
    return { status: 202, body: toDelivery(row) }
  }
}

/** POST /webhooks/deliveries/recover */
export function recoverDeliveries(context: AppContext): Handler<Contract['webhooks']['recover']> {
  return async ({ body, request }) => {
    const { accountId } = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const rows = await context.database.transaction().execute(async (tx) => {
      const dead = await tx
        .updateTable('webhook_deliveries')
        .set(sentAgain(now))
        .where('account_id', '=', accountId)
        .where('status', '=', 'dead')
        .where('created_at', '>=', new Date(body.since))
        .returning('lane_id')
        .execute()
      await wakeLanes(tx, [...new Set(dead.map(({ lane_id }) => lane_id))], now)
      return dead
    })
    context.deliveries?.wake()
    return { status: 202, body: { resent: rows.length } }
  }
}

/** POST /webhooks/endpoints/{endpoint_id}/test */
export function sendTestEvent(context: AppContext): Handler<Contract['webhooks']['sendTestEvent']> {
  return async ({ params, body: { type }, request }) => {
    const { clock, makeId } = context
    const { accountId, livemode } = principalOf(request)
    const endpoint = await requireEndpoint(context, accountId, params.endpoint_id)
    if (!endpoint.enabled) throw new ApiError('state_conflict', 'The endpoint is disabled')
    const now = new Date(clock.nowMs())
    const { objectId, data } = makeSample({ type, now, makeId, livemode })
    const event_id = makeId('event')
    const delivery_id = makeId('delivery')
    const row = await context.database.transaction().execute(async (tx) => {
      // Not into the outbox: it is for this endpoint only.
      const { sequence } = await tx
        .insertInto('events')
        .values({
          event_id,
          account_id: accountId,
          livemode,
          type,
          object_id: objectId,
          body: JSON.stringify({ event_id, type, created_at: now.toISOString(), data }),
          created_at: now,
        })
        .returning('sequence')
        .executeTakeFirstOrThrow()
      const { endpoint_id } = endpoint
      const delivery = { delivery_id, account_id: accountId, lane_id: endpoint_id, endpoint_id, url: null }
      const run: Run = ({ text, values }) => tx.executeQuery(CompiledQuery.raw(text, values))
      await insertDeliveries(run, [{ ...delivery, event_id, type, object_id: objectId, sequence }], now)
      await wakeLanes(tx, [endpoint_id], now)
      return requireDelivery(tx, accountId, delivery_id)
    })
    context.deliveries?.wake()
    return { status: 202, body: toDelivery(row) }
  }
}
