import type { Principal } from '@vaani/service-kit/http/principal'
import type { ConsoleContext } from './context.ts'
import type { ConsoleSession } from './contract.ts'

export async function viewSession(
  { accountId, keyId, livemode, operator, tier, scopes, member }: Principal,
  { members, migration }: Pick<ConsoleContext, 'members' | 'migration'>,
): Promise<ConsoleSession> {
  return {
    account_id: accountId,
    key_id: keyId,
    livemode,
    operator,
    migration: operator && scopes.has('admin') && migration.hasWorker,
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
