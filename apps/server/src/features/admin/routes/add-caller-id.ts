import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant, requireOperator } from '../../../tenancy/choose-tenant.ts'
import { toCallerId } from '../caller-id-view.ts'
import type { AdminContext } from '../context.ts'

/** POST /admin/caller-ids */
export function addCallerId(context: AdminContext): Handler<Contract['admin']['addCallerId']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    requireOperator(principal)
    const { accountId, livemode } = await chooseTenant(context, principal, body.account_id)
    const row = await context.callerIds.add({
      caller_id_id: context.makeId('caller_id'),
      account_id: accountId,
      livemode,
      phone_number: body.phone_number,
      source: 'operator',
      verified_at: new Date(context.clock.nowMs()),
      removed_at: null,
    })
    return { status: 201, body: toCallerId(row) }
  }
}
