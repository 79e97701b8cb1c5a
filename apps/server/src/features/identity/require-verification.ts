import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { IdentityContext } from './context.ts'
import type { VerificationRow } from './tables.ts'

/** Finds a verification of the tenant. Unknown ids and those of another account or mode get the same 404. */
export async function requireVerification(
  { identity }: IdentityContext,
  tenant: Tenant,
  verificationId: string,
): Promise<VerificationRow> {
  const row = await identity.store.find(tenant, verificationId)
  if (row === undefined)
    throw new ApiError('verification_not_found', 'There is no such verification in this account')
  return row
}
