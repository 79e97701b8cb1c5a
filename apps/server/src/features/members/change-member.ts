import type { Id } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import { writeAudit } from '../../tenancy/audit-log.ts'
import { findMember, lockMember, type MemberRow, updateMemberRow } from '../../tenancy/member-rows.ts'
import type { TenancyAction } from '../../tenancy/tables.ts'
import type { MembersContext } from './context.ts'

/**
 * Changes a member that the principal may change, in one transaction, and applies it at once in this process. A member that
 * was removed stays as it is.
 *
 * @throws ApiError `not_found`; `forbidden` for a member of live mode in test mode
 */
export async function changeMember<Result>(
  context: MembersContext,
  options: { memberId: Id<'member'>; principal: Principal; action: TenancyAction },
  change: (tx: Tx, member: MemberRow) => Promise<Result>,
): Promise<{ row: MemberRow; result: Result }> {
  const { database, authenticator } = context
  const { memberId, principal, action } = options
  const changed = await database.transaction().execute(async (tx) => {
    const member = requireVisible(principal, await lockMember(tx, memberId))
    requireMode(principal, member.livemode)
    const result = await change(tx, member)
    if (member.removed_at === null) await auditMember(context, { tx, principal, action, member })
    return { row: requireVisible(principal, await findMember(tx, memberId)), result }
  })
  authenticator.forgetAccount(changed.row.account_id)
  return changed
}

/** @throws ApiError `not_found` unless it is a member of the principal's account, or of any for an operator */
export function requireVisible(principal: Principal, member: MemberRow | undefined): MemberRow {
  if (member === undefined || (!principal.operator && member.account_id !== principal.accountId))
    throw new ApiError('not_found', 'There is no such member in this account')
  return member
}

/** Checks that only those who work in live mode give or change a right to it. @throws ApiError `forbidden` */
export function requireMode(principal: Principal, isLive: boolean): void {
  if (isLive && !principal.livemode)
    throw new ApiError('forbidden', 'livemode: only a live key or session may decide about live mode', {
      param: 'livemode',
    })
}

/** @throws ApiError `state_conflict` */
export function requireNotRemoved({ removed_at }: MemberRow): void {
  if (removed_at !== null) throw new ApiError('state_conflict', 'The member was removed')
}

export const auditMember = (
  { clock, makeId }: Pick<MembersContext, 'clock' | 'makeId'>,
  options: { tx: Tx; principal: Principal; action: TenancyAction; member: MemberRow },
): Promise<void> =>
  writeAudit(options.tx, makeId, {
    happened_at: new Date(clock.nowMs()),
    action: options.action,
    actor: options.principal.keyId,
    account_id: options.member.account_id,
    livemode: options.principal.livemode,
    key_id: null,
    object_id: options.member.member_id,
  })

/** Ends all that a member signed in with, and their sessions. */
export async function endSignIns(
  { clock, passkeys }: MembersContext,
  tx: Tx,
  memberId: Id<'member'>,
): Promise<void> {
  await passkeys.remove(tx, memberId)
  await updateMemberRow(tx, memberId, {
    oidc_issuer: null,
    oidc_subject: null,
    joined_at: null,
    sessions_since: new Date(clock.nowMs()),
  })
}
