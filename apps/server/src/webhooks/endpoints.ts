import type { Contract, WebhookEndpoint } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { AppContext } from '../context.ts'
import type { WebhookEndpointTable } from '../database/schema.ts'
import { ApiError } from '../http/api-error.ts'
import { principalOf } from '../http/authorize.ts'
import { toPage } from '../http/page.ts'
import type { Handler } from '../http/ts-rest.ts'
import { requireDestination } from './require-destination.ts'
import type { SecretOwner } from './secret-store.ts'
import { wakeLanes } from './wake-lanes.ts'

const HOUR_MS = 3_600_000

type EndpointRow = Selectable<WebhookEndpointTable>

const toEndpoint = ({ account_id: _, ...row }: EndpointRow): WebhookEndpoint => ({
  ...row,
  endpoint_id: row.endpoint_id as WebhookEndpoint['endpoint_id'],
  created_at: row.created_at.toISOString(),
})

/** An endpoint of the account; an unknown id and another account's id are the same 404. */
export async function requireEndpoint(
  context: AppContext,
  accountId: string,
  endpointId: string,
): Promise<EndpointRow> {
  const row = await context.database
    .selectFrom('webhook_endpoints')
    .where('endpoint_id', '=', endpointId)
    .where('account_id', '=', accountId)
    .selectAll()
    .executeTakeFirst()
  return row ?? throwNoEndpoint()
}

function throwNoEndpoint(): never {
  throw new ApiError('not_found', 'There is no such endpoint in this account')
}

/** POST /webhooks/endpoints */
export function createEndpoint(context: AppContext): Handler<Contract['webhooks']['createEndpoint']> {
  return async ({ body, request }) => {
    const { accountId } = principalOf(request)
    await requireDestination(context, body.url, 'url')
    const endpointId = context.makeId('endpoint')
    const row = await context.database
      .insertInto('webhook_endpoints')
      .values({
        endpoint_id: endpointId,
        account_id: accountId,
        url: body.url,
        events: [...new Set(body.events)],
        created_at: new Date(context.clock.nowMs()),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return {
      status: 201,
      body: { ...toEndpoint(row), ...(await rotate(context, { ownerId: endpointId, accountId })) },
    }
  }
}

/** GET /webhooks/endpoints */
export function listEndpoints(context: AppContext): Handler<Contract['webhooks']['listEndpoints']> {
  return async ({ query: { limit, cursor }, request }) => {
    let query = context.database
      .selectFrom('webhook_endpoints')
      .where('account_id', '=', principalOf(request).accountId)
      .selectAll()
    if (cursor !== undefined) query = query.where('endpoint_id', '<', cursor)
    const rows = await query
      .orderBy('endpoint_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.endpoint_id, view: toEndpoint }) }
  }
}

/** PATCH /webhooks/endpoints/{endpoint_id} */
export function updateEndpoint(context: AppContext): Handler<Contract['webhooks']['updateEndpoint']> {
  return async ({ params, body, request }) => {
    const { accountId } = principalOf(request)
    if (body.url !== undefined) await requireDestination(context, body.url, 'url')
    const changes = {
      ...(body.url !== undefined && { url: body.url }),
      ...(body.events !== undefined && { events: [...new Set(body.events)] }),
      ...(body.enabled !== undefined && { enabled: body.enabled }),
    }
    if (Object.keys(changes).length === 0)
      throw new ApiError('invalid_request', 'The body names nothing to change')
    const row = await context.database.transaction().execute(async (tx) => {
      const updated = await tx
        .updateTable('webhook_endpoints')
        .set(changes)
        .where('endpoint_id', '=', params.endpoint_id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst()
      // What waits may go now that the endpoint is enabled, or elsewhere.
      if (updated) await wakeLanes(tx, [params.endpoint_id], new Date(context.clock.nowMs()))
      return updated
    })
    context.deliveries?.wake()
    return { status: 200, body: toEndpoint(row ?? throwNoEndpoint()) }
  }
}

/** POST /webhooks/endpoints/{endpoint_id}/rotate-secret */
export function rotateSecret(context: AppContext): Handler<Contract['webhooks']['rotateSecret']> {
  return async ({ params, body, request }) => {
    const { accountId } = principalOf(request)
    const { endpoint_id } = await requireEndpoint(context, accountId, params.endpoint_id)
    const secret = await rotate(context, { ownerId: endpoint_id, accountId }, body.overlap_hours)
    return { status: 200, body: secret }
  }
}

/** POST /webhooks/rotate-secret */
export function rotateAccountSecret(
  context: AppContext,
): Handler<Contract['webhooks']['rotateAccountSecret']> {
  return async ({ body, request }) => {
    const { accountId } = principalOf(request)
    return { status: 200, body: await rotate(context, { ownerId: accountId, accountId }, body.overlap_hours) }
  }
}

async function rotate({ webhookSecrets }: AppContext, owner: SecretOwner, overlapHours = 0) {
  const { secret, previousUntil } = await webhookSecrets.rotate(owner, overlapHours * HOUR_MS)
  return { secret, previous_secret_until: previousUntil?.toISOString() ?? null }
}
