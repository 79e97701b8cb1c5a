import type { Db } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type DeliveryRow, findDeliveries } from './find-deliveries.ts'

/** Finds a delivery of the tenant. Unknown ids and those of another account or mode get the same 404. */
export async function requireDelivery(
  database: Db,
  tenant: Tenant,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [row] = await findDeliveries(database, tenant, { delivery_id: deliveryId, limit: 1 })
  if (row === undefined) throw new ApiError('not_found', 'There is no such delivery in this account')
  return row
}
