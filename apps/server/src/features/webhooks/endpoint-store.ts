import { LIMITS } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { EndpointRow } from './endpoint-view.ts'
import type { WebhookEndpointTable } from './tables.ts'

/** Selects the endpoints of a tenant that are not deleted. */
export const endpointsOf = (database: Db, { accountId, livemode }: Tenant) =>
  database
    .selectFrom('webhook_endpoints')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('deleted_at', 'is', null)
    .selectAll()

export const findEndpoint = (
  database: Db,
  tenant: Tenant,
  endpointId: string,
): Promise<EndpointRow | undefined> =>
  endpointsOf(database, tenant).where('endpoint_id', '=', endpointId).executeTakeFirst()

/** Whether the tenant may create another endpoint. Locks the account, so the limit is exact under concurrent requests. */
export async function hasRoom(tx: Tx, tenant: Tenant): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenant.accountId}, 3))`.execute(tx)
  return (await countEndpoints(tx, tenant)) < LIMITS.endpointsPerAccount
}

export async function countEndpoints(database: Db, tenant: Tenant): Promise<number> {
  const endpoints = await endpointsOf(database, tenant).execute()
  return endpoints.length
}

export const insertEndpoint = (tx: Tx, row: Insertable<WebhookEndpointTable>): Promise<EndpointRow> =>
  tx.insertInto('webhook_endpoints').values(row).returningAll().executeTakeFirstOrThrow()

export const updateEndpointRow = (
  tx: Tx,
  endpointId: string,
  changes: Updateable<WebhookEndpointTable>,
): Promise<EndpointRow | undefined> =>
  tx
    .updateTable('webhook_endpoints')
    .set(changes)
    .where('endpoint_id', '=', endpointId)
    .returningAll()
    .executeTakeFirst()

/** Marks an endpoint as deleted, and deletes its secrets. @returns whether the tenant had it */
export async function deleteEndpointRow(
  tx: Tx,
  { accountId, livemode }: Tenant,
  { endpointId, now }: { endpointId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set((row) => ({
      enabled: false,
      disabled_at: row.fn.coalesce('disabled_at', row.val(now)),
      disabled_reason: row.fn.coalesce('disabled_reason', row.val('requested' as const)),
      deleted_at: now,
    }))
    .where('endpoint_id', '=', endpointId)
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx.deleteFrom('webhook_secrets').where('owner_id', '=', endpointId).execute()
  return true
}
