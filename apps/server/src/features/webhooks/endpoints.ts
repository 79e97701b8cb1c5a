import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { type EndpointRow, toEndpoint } from './endpoint-view.ts'
import { runIn, wakeLanes } from './delivery/pending-rows.ts'
import { requireDestination } from './destination/require-destination.ts'
import { ownerOf } from './secret-store.ts'

type Webhooks = Contract['webhooks']

/** Endpoints of a tenant. */
const endpointsOf = (database: Db, { accountId, livemode }: Tenant) =>
  database
    .selectFrom('webhook_endpoints')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('deleted_at', 'is', null)
    .selectAll()

/** An endpoint of the tenant. An unknown id, another account's and another mode's are the same 404. */
export async function requireEndpoint(
  database: Db,
  tenant: Tenant,
  endpointId: string,
): Promise<EndpointRow> {
  const row = await endpointsOf(database, tenant).where('endpoint_id', '=', endpointId).executeTakeFirst()
  return row ?? throwNoEndpoint()
}

function throwNoEndpoint(): never {
  throw new ApiError('not_found', 'There is no such endpoint in this account')
}

/** Takes turns by account, so that the limit is exact however many requests come at once. */
async function requireRoom(tx: Tx, tenant: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenant.accountId}, 3))`.execute(tx)
  const endpoints = await endpointsOf(tx, tenant).execute()
  if (endpoints.length >= LIMITS.endpointsPerAccount)
    throw new ApiError(
      'state_conflict',
      `The account has ${LIMITS.endpointsPerAccount} endpoints, the most there may be`,
    )
}

/** POST /webhooks/endpoints */
export function createEndpoint(context: AppContext): Handler<Webhooks['createEndpoint']> {
  return async ({ body, request }) => {
    const { accountId, livemode } = principalOf(request)
    await requireDestination(context, body.url, 'url')
    const endpoint_id = context.makeId('endpoint')
    const { row, secret } = await context.database.transaction().execute(async (tx) => {
      await requireRoom(tx, { accountId, livemode })
      const values = {
        endpoint_id,
        account_id: accountId,
        livemode,
        url: body.url,
        events: [...new Set(body.events)],
        created_at: new Date(context.clock.nowMs()),
      }
      const made = await tx
        .insertInto('webhook_endpoints')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow()
      const owner = ownerOf({ accountId, livemode }, endpoint_id)
      return { row: made, ...(await context.webhookSecrets.rotate(tx, owner)) }
    })
    return { status: 201, body: { ...toEndpoint(row), secret, previous_secret_until: null } }
  }
}

/** GET /webhooks/endpoints */
export function listEndpoints(context: AppContext): Handler<Webhooks['listEndpoints']> {
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

/** GET /webhooks/endpoints/{endpoint_id} */
export function retrieveEndpoint(context: AppContext): Handler<Webhooks['retrieveEndpoint']> {
  return async ({ params, request }) => {
    const row = await requireEndpoint(context.database, principalOf(request), params.endpoint_id)
    return { status: 200, body: toEndpoint(row) }
  }
}

/** What a change of `enabled` sets besides; nothing if it is as it was. */
function enabling(row: EndpointRow, enabled: boolean | undefined, now: Date) {
  if (enabled === undefined || enabled === row.enabled) return {}
  return enabled
    ? { enabled, disabled_at: null, disabled_reason: null, failing_since: null, warned_at: null }
    : { enabled, disabled_at: now, disabled_reason: 'requested' as const }
}

/** PATCH /webhooks/endpoints/{endpoint_id} */
export function updateEndpoint(context: AppContext): Handler<Webhooks['updateEndpoint']> {
  return async ({ params, body: { url, events, enabled }, request }) => {
    const tenant = principalOf(request)
    if (url === undefined && events === undefined && enabled === undefined)
      throw new ApiError('invalid_request', 'The body names nothing to change')
    if (url !== undefined) await requireDestination(context, url, 'url')
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
      // What waits may go now that the endpoint is enabled, or elsewhere.
      await wakeLanes(runIn(tx), [params.endpoint_id], now)
      if (Object.keys(changes).length === 0) return before
      return tx
        .updateTable('webhook_endpoints')
        .set(changes)
        .where('endpoint_id', '=', params.endpoint_id)
        .returningAll()
        .executeTakeFirst()
    })
    context.deliveries?.wake()
    return { status: 200, body: toEndpoint(row ?? throwNoEndpoint()) }
  }
}

/** DELETE /webhooks/endpoints/{endpoint_id} */
export function deleteEndpoint(context: AppContext): Handler<Webhooks['deleteEndpoint']> {
  return async ({ params: { endpoint_id }, request }) => {
    const { accountId, livemode } = principalOf(request)
    const now = new Date(context.clock.nowMs())
    await context.database.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('webhook_endpoints')
        .set((row) => ({
          enabled: false,
          disabled_at: row.fn.coalesce('disabled_at', row.val(now)),
          disabled_reason: row.fn.coalesce('disabled_reason', row.val('requested' as const)),
          deleted_at: now,
        }))
        .where('endpoint_id', '=', endpoint_id)
        .where('account_id', '=', accountId)
        .where('livemode', '=', livemode)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throwNoEndpoint()
      await tx.deleteFrom('webhook_secrets').where('owner_id', '=', endpoint_id).execute()
      // Its lane is due now, and whoever looks at it ends what waits there.
      await wakeLanes(runIn(tx), [endpoint_id], now)
    })
    context.deliveries?.wake()
    return { status: 204, body: undefined }
  }
}
