import { type Agent, LIMITS } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { CompiledQuery, type Selectable, sql } from 'kysely'
import { toAgentRow } from './agent-rows.ts'
import type { AgentTable } from './tables.ts'

export type AgentRow = Selectable<AgentTable>
/** The words of an agent. */
export type Speaker = Pick<AgentRow, 'language' | 'greeting' | 'translations'>

export interface AgentStore {
  list(tenant: Tenant): Promise<AgentRow[]>
  find(tenant: Tenant, agentId: string): Promise<AgentRow | undefined>
  count(tenant: Tenant): Promise<number>
  /** Returns the words of an agent; undefined if the account has no such agent in this mode. */
  findSpeaker(tenant: Tenant, agentId: string): Promise<Speaker | undefined>
  /** Inserts or updates the agent; returns null if the account is at its limit. */
  save(tenant: Tenant, agent: Omit<Agent, 'livemode'>): Promise<AgentRow | null>
}

// Hand-written for speed, like the other statements of placing a call.
const FIND_SPEAKER = `
  select language, greeting, translations from agents
  where account_id = $1 and livemode = $2 and agent_id = $3`

export function createAgentStore(database: Db): AgentStore {
  const agentsOf = ({ accountId, livemode }: Tenant) =>
    database
      .selectFrom('agents')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .selectAll()
  return {
    list: (tenant) => agentsOf(tenant).orderBy('agent_id').execute(),
    find: (tenant, agentId) => agentsOf(tenant).where('agent_id', '=', agentId).executeTakeFirst(),
    async count(tenant) {
      const { agents } = await countAgents(database, tenant).executeTakeFirstOrThrow()
      return Number(agents)
    },
    async findSpeaker({ accountId, livemode }, agentId) {
      const { rows } = await database.executeQuery<Speaker>(
        CompiledQuery.raw(FIND_SPEAKER, [accountId, livemode, agentId]),
      )
      return rows[0]
    },
    save: (tenant, agent) =>
      database.transaction().execute(async (tx) => {
        if (!(await hasRoom(tx, tenant, agent.agent_id))) return null
        const row = toAgentRow(tenant, agent)
        return tx
          .insertInto('agents')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'livemode', 'agent_id']).doUpdateSet(row))
          .returningAll()
          .executeTakeFirstOrThrow()
      }),
  }
}

/** Whether the agent exists or may be added. Locks the account, so the limit is exact under concurrent requests. */
async function hasRoom(tx: Tx, tenant: Tenant, agentId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenant.accountId}, 2))`.execute(tx)
  const { agents, exists } = await countAgents(tx, tenant)
    .select(({ fn }) =>
      fn.coalesce(fn.agg<boolean>('bool_or', [sql`agent_id = ${agentId}`]), sql<boolean>`false`).as('exists'),
    )
    .executeTakeFirstOrThrow()
  return exists || Number(agents) < LIMITS.agentsPerAccount
}

const countAgents = (database: Db, { accountId, livemode }: Tenant) =>
  database
    .selectFrom('agents')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .select(({ fn }) => fn.countAll<string>().as('agents'))
