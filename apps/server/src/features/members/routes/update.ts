import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { setLive, updateMemberRow } from '../../../tenancy/member-rows.ts'
import { changeMember, requireMode, requireNotRemoved } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** PATCH /admin/members/{member_id} */
export function updateMember(context: MembersContext): Handler<Contract['members']['update']> {
  const { clock, makeId } = context
  return async ({ params: { member_id: memberId }, body, request }) => {
    const principal = principalOf(request)
    const { name, role, livemode } = body
    const changes = { ...(name !== undefined && { name }), ...(role !== undefined && { role }) }
    const hasFields = Object.keys(changes).length > 0
    const { row } = await changeMember(
      context,
      { memberId, principal, action: 'member.changed' },
      async (tx, member) => {
        if (!hasFields && livemode === undefined)
          throw new ApiError('invalid_request', 'The body contains no changes')
        requireMode(principal, livemode === true)
        requireNotRemoved(member)
        if (hasFields) await updateMemberRow(tx, memberId, changes)
        if (livemode !== undefined)
          await setLive(tx, { member, isLive: livemode, makeId, now: new Date(clock.nowMs()) })
      },
    )
    return { status: 200, body: toMember(row) }
  }
}
