import { type Contract, STREAM_VOICES } from '@vaani/contracts'
import { toAgent, toAgentRow } from '../calls/agents.ts'
import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import { principalOf } from '../http/authorize.ts'
import type { Handler } from '../http/ts-rest.ts'

/** PUT /admin/agents/{agent_id} */
export function upsertAgent(context: AppContext): Handler<Contract['admin']['upsertAgent']> {
  return async ({ params, body, request }) => {
    if (!STREAM_VOICES.some((voice) => voice === body.voice))
      throw new ApiError('voice_not_found', 'voice: is neither built in nor a voice of this account', {
        param: 'voice',
      })
    const row = toAgentRow(principalOf(request), { ...body, agent_id: params.agent_id })
    const saved = await context.database
      .insertInto('agents')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'livemode', 'agent_id']).doUpdateSet(row))
      .returningAll()
      .executeTakeFirstOrThrow()
    return { status: 200, body: toAgent(saved) }
  }
}
