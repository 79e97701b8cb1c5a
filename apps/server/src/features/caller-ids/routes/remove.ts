import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallerIdsContext } from '../context.ts'
import { noSuchCallerId } from '../require-caller-id.ts'

/** DELETE /v1/caller-ids/{caller_id_id} */
export function removeCallerId(context: CallerIdsContext): Handler<Contract['callerIds']['remove']> {
  return async ({ params: { caller_id_id }, request }) => {
    const { accountId, livemode } = principalOf(request)
    const now = new Date(context.clock.nowMs())
    // A verification first: one that is verified in between is a caller id by the second statement.
    const isRemoved =
      (await context.store.remove({ accountId, livemode }, caller_id_id, now)) ||
      (await context.verified.remove(caller_id_id, { livemode, only: accountId, now }))
    if (!isRemoved) throw noSuchCallerId()
    context.events.record('caller_id_removed', { caller_id_id, account_id: accountId })
    return { status: 204, body: undefined }
  }
}
