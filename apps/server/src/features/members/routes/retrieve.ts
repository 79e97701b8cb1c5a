import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { findMember } from '../../../tenancy/member-rows.ts'
import { requireVisible } from '../change-member.ts'
import type { MembersContext } from '../context.ts'
import { toMember } from '../view.ts'

/** GET /admin/members/{member_id} */
export function retrieveMember({ database }: MembersContext): Handler<Contract['members']['retrieve']> {
  return async ({ params, request }) => {
    const row = requireVisible(principalOf(request), await findMember(database, params.member_id))
    return { status: 200, body: toMember(row) }
  }
}
