import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeMember, endSignIns, requireNotRemoved } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** POST /admin/members/{member_id}/invitations */
export function inviteMemberAgain(context: MembersContext): Handler<Contract['members']['inviteAgain']> {
  const { store } = context
  return async ({ params: { member_id: memberId }, body, request }) => {
    const { row, result } = await changeMember(
      context,
      { memberId, principal: principalOf(request), action: 'member.invited' },
      async (tx, member) => {
        requireNotRemoved(member)
        if (body.reset === true) await endSignIns(context, tx, memberId)
        return store.invite(tx, memberId)
      },
    )
    return { status: 201, body: { ...toMember(row), invitation: result } }
  }
}
