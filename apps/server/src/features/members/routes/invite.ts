import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import {
  countMembers,
  findMember,
  insertMember,
  lockMembers,
  replaceInvitation,
} from '../../../tenancy/member-rows.ts'
import { auditMember, requireMode } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** POST /admin/members */
export function inviteMember(context: MembersContext): Handler<Contract['members']['invite']> {
  const { database, clock, makeId } = context
  return async ({ body, request }) => {
    const principal = principalOf(request)
    const { accountId } = await chooseTenant(context, principal, body.account_id)
    const { name, role, livemode = principal.livemode } = body
    requireMode(principal, livemode)
    const { member, invitation } = await database.transaction().execute(async (tx) => {
      await lockMembers(tx, accountId)
      if ((await countMembers(tx, accountId)) >= LIMITS.membersPerAccount)
        throw new ApiError(
          'state_conflict',
          `The account already has ${LIMITS.membersPerAccount} members, which is the maximum`,
        )
      const now = new Date(clock.nowMs())
      const memberId = await insertMember(tx, { makeId, now, accountId, name, role, livemode })
      const invitation = await replaceInvitation(tx, memberId, now)
      const member = await findMember(tx, memberId)
      if (member === undefined) throw new Error('A member that was just created is missing')
      await auditMember(context, { tx, principal, action: 'member.invited', member })
      return { member, invitation }
    })
    return { status: 201, body: { ...toMember(member), invitation } }
  }
}
