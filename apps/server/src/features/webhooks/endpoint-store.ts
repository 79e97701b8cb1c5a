import { LIMITS } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import { type EndpointRow } from './endpoint-view.ts'

/** Endpoints of a tenant. */
export const endpointsOf = (database: Db, { accountId, livemode }: Tenant) =>
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

export function throwNoEndpoint(): never {
  throw new ApiError('not_found', 'There is no such endpoint in this account')
}

/** Takes turns by account, so that the limit is exact however many requests come at once. */
export async function requireRoom(tx: Tx, tenant: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenant.accountId}, 3))`.execute(tx)
  const endpoints = await endpointsOf(tx, tenant).execute()
  if (endpoints.length >= LIMITS.endpointsPerAccount)
    throw new ApiError(
      'state_conflict',
      `The account has ${LIMITS.endpointsPerAccount} endpoints, the most there may be`,
    )
}
