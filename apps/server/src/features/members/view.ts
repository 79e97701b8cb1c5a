import type { Member } from '@vaani/contracts'
import type { MemberRow } from '../../tenancy/member-rows.ts'

export const toMember = (row: MemberRow): Member => ({
  member_id: row.member_id,
  account_id: row.account_id,
  name: row.name,
  role: row.role,
  livemode: row.livemode,
  status: row.removed_at !== null ? 'removed' : row.joined_at === null ? 'invited' : 'active',
  test_key_id: row.test_key_id,
  live_key_id: row.live_key_id,
  invitation_expires_at: row.invitation_expires_at?.toISOString() ?? null,
  signed_in_at: row.signed_in_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  removed_at: row.removed_at?.toISOString() ?? null,
})
