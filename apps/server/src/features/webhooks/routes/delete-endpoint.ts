import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { runIn, wakeLanes } from '../delivery/settle/pending-rows.ts'
import { deleteEndpointRow } from '../endpoint-store.ts'
import { throwNoEndpoint } from '../require-endpoint.ts'

/** DELETE /webhooks/endpoints/{endpoint_id} */
export function deleteEndpoint(context: WebhooksContext): Handler<Contract['webhooks']['deleteEndpoint']> {
  return async ({ params: { endpoint_id }, request }) => {
    const tenant = principalOf(request)
    const now = new Date(context.clock.nowMs())
    await context.database.transaction().execute(async (tx) => {
      if (!(await deleteEndpointRow(tx, tenant, { endpointId: endpoint_id, now }))) throwNoEndpoint()
      // Make its lane due now; the worker that holds it ends the deliveries waiting there.
      await wakeLanes(runIn(tx), [endpoint_id], now)
    })
    context.wake()
    return { status: 204, body: undefined }
  }
}
