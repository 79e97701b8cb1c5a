import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { WebhooksContext } from '../context.ts'
import { hasRoom, insertEndpoint } from '../endpoint-store.ts'
import { toEndpoint } from '../endpoint-view.ts'
import { ownerOf } from '../secret-store.ts'

/** POST /webhooks/endpoints */
export function createEndpoint(context: WebhooksContext): Handler<Contract['webhooks']['createEndpoint']> {
  return async ({ body, request }) => {
    const { accountId, livemode } = principalOf(request)
    await context.requireDestination(body.url, 'url')
    const endpoint_id = context.makeId('endpoint')
    const { row, secret } = await context.database.transaction().execute(async (tx) => {
      if (!(await hasRoom(tx, { accountId, livemode })))
        throw new ApiError(
          'state_conflict',
          `The account already has ${LIMITS.endpointsPerAccount} endpoints, which is the maximum`,
        )
      const values = {
        endpoint_id,
        account_id: accountId,
        livemode,
        url: body.url,
        events: [...new Set(body.events)],
        created_at: new Date(context.clock.nowMs()),
      }
      const made = await insertEndpoint(tx, values)
      const owner = ownerOf({ accountId, livemode }, endpoint_id)
      return { row: made, ...(await context.secrets.rotate(tx, owner)) }
    })
    return { status: 201, body: { ...toEndpoint(row), secret, previous_secret_until: null } }
  }
}
