import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import type { WebhooksContext } from '../context.ts'
import { rotate } from '../rotate.ts'
import { ownerOf } from '../secret-store.ts'

/** POST /webhooks/rotate-secret */
export function rotateAccountSecret(
  context: WebhooksContext,
): Handler<Contract['webhooks']['rotateAccountSecret']> {
  return async ({ body, request }) => {
    const tenant = await chooseTenant(context, principalOf(request), body.account_id)
    return { status: 200, body: await rotate(context, ownerOf(tenant), body) }
  }
}
