import type { Principal } from '@vaani/service-kit/http/principal'
import type { ConsoleSession } from './contract.ts'

export const viewSession = ({
  accountId,
  keyId,
  livemode,
  operator,
  tier,
  scopes,
  member,
}: Principal): ConsoleSession => ({
  account_id: accountId,
  key_id: keyId,
  livemode,
  operator,
  tier,
  scopes: [...scopes],
  member: member ? { member_id: member.id, name: member.name, role: member.role } : null,
})
