import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { runIn, wakeLanes } from '../delivery/pending-rows.ts'
import { throwNoEndpoint } from '../require-endpoint.ts'

/** DELETE /webhooks/endpoints/{endpoint_id} */
export function deleteEndpoint(context: WebhooksContext): Handler<Contract['webhooks']['deleteEndpoint']> {
  return async ({ params: { endpoint_id }, request }) => {
    const { accountId, livemode } = principalOf(request)
    const now = new Date(context.clock.nowMs())
    await context.database.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('webhook_endpoints')
        .set((row) => ({
          enabled: false,
          disabled_at: row.fn.coalesce('disabled_at', row.val(now)),
          disabled_reason: row.fn.coalesce('disabled_reason', row.val('requested' as const)),
          deleted_at: now,
        }))
        .where('endpoint_id', '=', endpoint_id)
        .where('account_id', '=', accountId)
        .where('livemode', '=', livemode)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throwNoEndpoint()
      await tx.deleteFrom('webhook_secrets').where('owner_id', '=', endpoint_id).execute()
      // Make its lane due now; the worker that holds it ends the deliveries waiting there.
      await wakeLanes(runIn(tx), [endpoint_id], now)
    })
    context.wake()
    return { status: 204, body: undefined }
  }
}
