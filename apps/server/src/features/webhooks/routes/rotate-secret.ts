import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { requireEndpoint } from '../require-endpoint.ts'
import { rotate } from '../rotate.ts'
import { ownerOf } from '../secret-store.ts'

/** POST /webhooks/endpoints/{endpoint_id}/rotate-secret */
export function rotateSecret(context: WebhooksContext): Handler<Contract['webhooks']['rotateSecret']> {
  return async ({ params, body, request }) => {
    const tenant = principalOf(request)
    const { endpoint_id } = await requireEndpoint(context.database, tenant, params.endpoint_id)
    return { status: 200, body: await rotate(context, ownerOf(tenant, endpoint_id), body) }
  }
}
