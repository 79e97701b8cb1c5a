import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChooseOwner } from '../choose-owner.ts'
import type { DoNotCallContext } from '../context.ts'
import { toNewRow } from '../new-row.ts'
import { toListedNumber } from '../view.ts'

/** POST /v1/do-not-call and /admin/do-not-call */
export function addListedNumber(
  context: DoNotCallContext,
  chooseOwner: ChooseOwner,
): Handler<Contract['doNotCall']['add']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    const owner = await chooseOwner(context, principal)
    const { phone_number: phoneNumber, reason = null } = body
    const row = toNewRow(context, owner, { phoneNumber, reason, source: 'added' })
    const listed = await context.store.add(row)
    if (listed === row) context.events.record('number_listed', { account_id: principal.accountId })
    return { status: 201, body: toListedNumber(listed) }
  }
}
