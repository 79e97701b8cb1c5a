import { type Contract, isClonedVoiceId, LIMITS, STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { toAgent } from '../../agents/port.ts'
import type { AdminContext } from '../context.ts'

/** PUT /admin/agents/{agent_id} */
export function upsertAgent({ agents, voices }: AdminContext): Handler<Contract['admin']['upsertAgent']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const { voice } = body
    const isKnown =
      STREAM_VOICES.some((name) => name === voice) ||
      (isClonedVoiceId(voice) && (await voices.find(principal, voice)) !== undefined)
    if (!isKnown)
      throw new ApiError('voice_not_found', 'voice: is neither built in nor a voice of this account', {
        param: 'voice',
      })
    const saved = await agents.save(principal, { ...body, agent_id: params.agent_id })
    if (saved === null)
      throw new ApiError(
        'state_conflict',
        `The account already has ${LIMITS.agentsPerAccount} agents, which is the maximum`,
      )
    return { status: 200, body: toAgent(saved) }
  }
}
