import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { chooseTenant } from '../../tenancy/choose-tenant.ts'
import type { AppContext } from '../../context.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { requireEndpoint } from './endpoints.ts'
import { ownerOf, type SecretOwner } from './secret-store.ts'

const HOUR_MS = 3_600_000

type Webhooks = Contract['webhooks']

/** POST /webhooks/endpoints/{endpoint_id}/rotate-secret */
export function rotateSecret(context: AppContext): Handler<Webhooks['rotateSecret']> {
  return async ({ params, body, request }) => {
    const tenant = principalOf(request)
    const { endpoint_id } = await requireEndpoint(context.database, tenant, params.endpoint_id)
    return { status: 200, body: await rotate(context, ownerOf(tenant, endpoint_id), body) }
  }
}

/** POST /webhooks/rotate-secret */
export function rotateAccountSecret(context: AppContext): Handler<Webhooks['rotateAccountSecret']> {
  return async ({ body, request }) => {
    const tenant = await chooseTenant(context, principalOf(request), body.account_id)
    return { status: 200, body: await rotate(context, ownerOf(tenant), body) }
  }
}

async function rotate(
  { webhookSecrets, database }: AppContext,
  owner: SecretOwner,
  rotation: { overlap_hours: number; sign_with: 'new' | 'previous' },
) {
  const { secret, previousUntil } = await webhookSecrets.rotate(database, owner, {
    overlapMs: rotation.overlap_hours * HOUR_MS,
    signWith: rotation.sign_with,
  })
  return { secret, previous_secret_until: previousUntil?.toISOString() ?? null }
}

/** @throws ApiError if what is sent there could not be signed, because the tenant was shown no secret */
export async function requireTenantSecret(
  { webhookSecrets }: AppContext,
  tenant: Tenant,
  param: string,
): Promise<void> {
  if ((await webhookSecrets.read(ownerOf(tenant))) === null)
    throw new ApiError(
      'invalid_request',
      `${param}: needs a webhook secret to sign with, and there is none yet: POST /webhooks/rotate-secret shows one`,
      { param },
    )
}
