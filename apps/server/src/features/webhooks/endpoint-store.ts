import { LIMITS } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { EndpointRow } from './endpoint-view.ts'

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
  const endpoints = await endpointsOf(tx, tenant).execute()
  return endpoints.length < LIMITS.endpointsPerAccount
}
