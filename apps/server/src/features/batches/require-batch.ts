import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { BatchStore } from './store.ts'
import type { BatchRow } from './tables.ts'

/** @throws ApiError `not_found` if the tenant has no such batch */
export async function requireBatch(store: BatchStore, tenant: Tenant, batchId: string): Promise<BatchRow> {
  const row = await store.find(tenant, batchId)
  if (row === undefined)
    throw new ApiError('not_found', 'There is no such batch in this account', { param: 'batch_id' })
  return row
}
