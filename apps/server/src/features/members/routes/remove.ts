import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { revokeKeysOfMember, updateMemberRow } from '../../../tenancy/member-rows.ts'
import { changeMember, endSignIns } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** DELETE /admin/members/{member_id} */
export function removeMember(context: MembersContext): Handler<Contract['members']['remove']> {
  return async ({ params: { member_id: memberId }, request }) => {
    const { row } = await changeMember(
      context,
      { memberId, principal: principalOf(request), action: 'member.removed' },
      async (tx, { removed_at }) => {
        if (removed_at !== null) return
        await endSignIns(context, tx, memberId)
        const now = new Date(context.clock.nowMs())
        await revokeKeysOfMember(tx, memberId, now)
        await updateMemberRow(tx, memberId, {
          removed_at: now,
          invitation_hash: null,
          invitation_expires_at: null,
        })
      },
    )
    return { status: 200, body: toMember(row) }
  }
}
