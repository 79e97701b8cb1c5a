import type { Db } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import { findEndpoint } from './endpoint-store.ts'
import type { EndpointRow } from './endpoint-view.ts'

/** Finds an endpoint of the tenant. Unknown ids and those of another account or mode get the same 404. */
export const requireEndpoint = async (
  database: Db,
  tenant: Tenant,
  endpointId: string,
): Promise<EndpointRow> => (await findEndpoint(database, tenant, endpointId)) ?? throwNoEndpoint()

export function throwNoEndpoint(): never {
  throw new ApiError('not_found', 'There is no such endpoint in this account')
}
