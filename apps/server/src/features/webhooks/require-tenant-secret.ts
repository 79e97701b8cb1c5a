import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type SecretStore, ownerOf } from './secret-store.ts'

/** @throws ApiError if the tenant has no secret to sign webhooks with */
export async function requireTenantSecret(
  secrets: SecretStore,
  tenant: Tenant,
  param: string,
): Promise<void> {
  if ((await secrets.read(ownerOf(tenant))) === null)
    throw new ApiError(
      'invalid_request',
      `${param}: needs a webhook secret to sign with, and there is none yet; POST /webhooks/rotate-secret creates one`,
      { param },
    )
}
