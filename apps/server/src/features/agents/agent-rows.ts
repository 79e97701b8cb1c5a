import type { Agent } from '@vaani/contracts'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Insertable, Selectable } from 'kysely'
import type { AgentTable } from './tables.ts'

export function toAgentRow(
  { accountId, livemode }: Tenant,
  agent: Omit<Agent, 'livemode'>,
): Insertable<AgentTable> {
  return { ...agent, account_id: accountId, livemode, translations: JSON.stringify(agent.translations) }
}

export function toAgent({ account_id: _, ...row }: Selectable<AgentTable>): Agent {
  return row
}
