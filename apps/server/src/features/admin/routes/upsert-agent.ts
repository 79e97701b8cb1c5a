import { type Contract, LIMITS, STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import { toAgent, toAgentRow } from '../../agents/agents.ts'
import type { AppContext } from '../../../context.ts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { principalOf } from '@vaani/service-kit/http/authorize'

/** PUT /admin/agents/{agent_id} */
export function upsertAgent(context: AppContext): Handler<Contract['admin']['upsertAgent']> {
  return async ({ params, body, request }) => {
    if (!STREAM_VOICES.some((voice) => voice === body.voice))
      throw new ApiError('voice_not_found', 'voice: is neither built in nor a voice of this account', {
        param: 'voice',
      })
    const tenant = principalOf(request)
    const row = toAgentRow(tenant, { ...body, agent_id: params.agent_id })
    const saved = await context.database.transaction().execute(async (tx) => {
      await requireRoom(tx, tenant, params.agent_id)
      return tx
        .insertInto('agents')
        .values(row)
        .onConflict((conflict) => conflict.columns(['account_id', 'livemode', 'agent_id']).doUpdateSet(row))
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    return { status: 200, body: toAgent(saved) }
  }
}

/** Takes turns by account, so that the limit is exact however many requests come at once. */
async function requireRoom(tx: Tx, { accountId, livemode }: Tenant, agentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 2))`.execute(tx)
  const { agents, exists } = await tx
    .selectFrom('agents')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .select(({ fn }) => [
      fn.countAll<string>().as('agents'),
      fn.coalesce(fn.agg<boolean>('bool_or', [sql`agent_id = ${agentId}`]), sql<boolean>`false`).as('exists'),
    ])
    .executeTakeFirstOrThrow()
  if (!exists && Number(agents) >= LIMITS.agentsPerAccount)
    throw new ApiError(
      'state_conflict',
      `The account has ${LIMITS.agentsPerAccount} agents, the most there may be`,
    )
}
