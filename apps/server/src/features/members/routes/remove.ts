import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeMember, endSignIns } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** DELETE /admin/members/{member_id} */
export function removeMember(context: MembersContext): Handler<Contract['members']['remove']> {
  const { clock, store } = context
  return async ({ params: { member_id: memberId }, request }) => {
    const { row } = await changeMember(
      context,
      { memberId, principal: principalOf(request), action: 'member.removed' },
      async (tx, { removed_at }) => {
        if (removed_at !== null) return
        await endSignIns(context, tx, memberId)
        await store.revokeKeys(tx, memberId)
        await store.change(tx, memberId, {
          removed_at: new Date(clock.nowMs()),
          invitation_hash: null,
          invitation_expires_at: null,
        })
      },
    )
    return { status: 200, body: toMember(row) }
  }
}
