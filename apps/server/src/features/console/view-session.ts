import type { Principal } from '@vaani/service-kit/http/principal'
import type { MembersPort } from '../members/port.ts'
import type { ConsoleSession } from './contract.ts'

export async function viewSession(
  { accountId, keyId, livemode, operator, tier, scopes, member }: Principal,
  members: Pick<MembersPort, 'mayWork'>,
): Promise<ConsoleSession> {
  return {
    account_id: accountId,
    key_id: keyId,
    livemode,
    operator,
    tier,
    scopes: [...scopes],
    member: member
      ? {
          member_id: member.id,
          name: member.name,
          role: member.role,
          in_both_modes: await members.mayWork(member.id, !livemode),
        }
      : null,
  }
}
