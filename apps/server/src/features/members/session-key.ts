import type { Id } from '@vaani/contracts'
import type { MemberRow } from '../../tenancy/member-rows.ts'

/** What a session of a member stands for. */
export interface SessionKey {
  key_id: Id<'key'>
  account_id: Id<'account'>
}

/** Returns the key by which a member works in a mode; null if they may not. */
export function keyInMode(member: MemberRow, livemode: boolean): SessionKey | null {
  const keyId = livemode ? (member.livemode ? member.live_key_id : null) : member.test_key_id
  return keyId === null ? null : { key_id: keyId, account_id: member.account_id }
}

/** Returns the key by which a member works in the mode of their last session. */
export const sessionKeyOf = (member: MemberRow): SessionKey =>
  keyInMode(member, member.prefers_live) ?? { key_id: member.test_key_id, account_id: member.account_id }
