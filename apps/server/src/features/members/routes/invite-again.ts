import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { replaceInvitation } from '../../../tenancy/member-rows.ts'
import { changeMember, endSignIns, requireNotRemoved } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** POST /admin/members/{member_id}/invitations */
export function inviteMemberAgain(context: MembersContext): Handler<Contract['members']['inviteAgain']> {
  return async ({ params: { member_id: memberId }, body, request }) => {
    const { row, result } = await changeMember(
      context,
      { memberId, principal: principalOf(request), action: 'member.invited' },
      async (tx, member) => {
        requireNotRemoved(member)
        if (body.reset === true) await endSignIns(context, tx, memberId)
        return replaceInvitation(tx, memberId, new Date(context.clock.nowMs()))
      },
    )
    return { status: 201, body: { ...toMember(row), invitation: result } }
  }
}
