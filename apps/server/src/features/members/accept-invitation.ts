import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { IdMaker } from '@vaani/service-kit/ids'
import { writeAudit } from '../../tenancy/audit-log.ts'
import { findInvited, lockMember, type MemberRow, updateMemberRow } from '../../tenancy/member-rows.ts'

/** Returns the member that an open invitation is for. @throws ApiError `unauthorized` */
export async function requireInvited(database: Db, invitation: string, clock: Clock): Promise<MemberRow> {
  const member = await findInvited(database, invitation, new Date(clock.nowMs()))
  if (member === undefined)
    throw new ApiError('unauthorized', 'invitation: was used, replaced, or is too old', {
      param: 'invitation',
    })
  return member
}

/** Uses an invitation up for a member who got a way to sign in. @throws ApiError `unauthorized` */
export async function acceptInvitation(
  tx: Tx,
  invitation: string,
  { clock, makeId }: { clock: Clock; makeId: IdMaker },
): Promise<MemberRow> {
  const { member_id } = await requireInvited(tx, invitation, clock)
  // Of two who use an invitation at once, the second waits here, and then finds it used.
  await lockMember(tx, member_id)
  const member = await requireInvited(tx, invitation, clock)
  await updateMemberRow(tx, member_id, { invitation_hash: null, invitation_expires_at: null })
  await noteSignIn(tx, member, clock)
  await writeAudit(tx, makeId, {
    happened_at: new Date(clock.nowMs()),
    action: 'member.joined',
    actor: member.test_key_id,
    account_id: member.account_id,
    livemode: false,
    key_id: null,
    object_id: member_id,
  })
  return member
}

export async function noteSignIn(tx: Tx, { member_id, joined_at }: MemberRow, clock: Clock): Promise<void> {
  const now = new Date(clock.nowMs())
  await updateMemberRow(tx, member_id, { signed_in_at: now, joined_at: joined_at ?? now })
}
