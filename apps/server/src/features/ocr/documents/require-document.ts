import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { DocumentRow } from '../tables.ts'
import type { DocumentStore } from './store.ts'

/** @throws ApiError `not_found` if the tenant has no such document */
export async function requireDocument(
  store: DocumentStore,
  tenant: Tenant,
  documentId: string,
): Promise<DocumentRow> {
  const row = await store.find(tenant, documentId)
  if (row === undefined)
    throw new ApiError('not_found', 'There is no such document in this account', { param: 'document_id' })
  return row
}
