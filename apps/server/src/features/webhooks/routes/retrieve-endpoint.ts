import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { toEndpoint } from '../endpoint-view.ts'
import { requireEndpoint } from '../require-endpoint.ts'
import { ownerOf } from '../secret-store.ts'

/** GET /webhooks/endpoints/{endpoint_id} */
export function retrieveEndpoint(
  context: WebhooksContext,
): Handler<Contract['webhooks']['retrieveEndpoint']> {
  return async ({ params, request }) => {
    const tenant = principalOf(request)
    const row = await requireEndpoint(context.database, tenant, params.endpoint_id)
    const until = await context.secrets.readOverlapEnd(ownerOf(tenant, row.endpoint_id))
    return {
      status: 200,
      body: { ...toEndpoint(row), ...(until && { previous_secret_until: until.toISOString() }) },
    }
  }
}
