import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallerIdsContext } from '../context.ts'
import { requireCallerId } from '../require-caller-id.ts'
import { toVerified } from '../view.ts'

/** POST /v1/caller-ids/{caller_id_id}/verify */
export function verifyCallerId(context: CallerIdsContext): Handler<Contract['callerIds']['verify']> {
  return async ({ params: { caller_id_id }, body, request }) => {
    const { accountId, livemode } = principalOf(request)
    const tenant = { accountId, livemode }
    const now = new Date(context.clock.nowMs())
    const row = await context.store.countAttempt(tenant, caller_id_id, now)
    if (row === undefined) {
      const { status } = await requireCallerId(context, tenant, caller_id_id)
      throw notPending(status)
    }
    if (!context.codes.isCode(caller_id_id, body.code)) {
      context.events.record('caller_id_code_refused', { caller_id_id, account_id: accountId })
      throw new ApiError('incorrect_code', 'code: is not the one that the call said', { param: 'code' })
    }
    const verified = await context.database.transaction().execute(async (tx) => {
      if (!(await context.store.markVerified(tx, caller_id_id, now))) throw notPending('verified')
      return context.verified.add(
        {
          caller_id_id,
          account_id: accountId,
          livemode,
          phone_number: row.phone_number,
          source: 'call',
          verified_at: now,
          removed_at: null,
        },
        tx,
      )
    })
    context.events.record('caller_id_verified', { caller_id_id, account_id: accountId })
    return { status: 200, body: toVerified(verified) }
  }
}

const notPending = (status: string): ApiError =>
  new ApiError(
    'state_conflict',
    status === 'verified'
      ? 'The caller id is verified already'
      : 'The verification has failed; start another',
  )
