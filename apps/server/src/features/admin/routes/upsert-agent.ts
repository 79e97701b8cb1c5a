import { type Contract, isClonedVoiceId, LIMITS, STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { type SpeechEngine, supportedLanguage } from '@vaani/speech'
import { toAgent } from '../../agents/port.ts'
import type { AdminContext } from '../context.ts'

/** PUT /admin/agents/{agent_id} */
export function upsertAgent(context: AdminContext): Handler<Contract['admin']['upsertAgent']> {
  const { agents, voices, speech } = context
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    // Without an engine, an agent is silent in every language.
    if (speech.engine !== null) requireLanguages(speech.engine, body)
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

/** @throws ApiError naming the first language that the engine does not speak */
function requireLanguages(
  engine: SpeechEngine,
  { language, translations }: { language: string; translations: Readonly<Record<string, string>> },
): void {
  const fields = [
    ['language', language],
    ...Object.keys(translations).map((tag) => [`translations.${tag}`, tag] as const),
  ] as const
  for (const [param, tag] of fields)
    if (supportedLanguage(engine, tag) === undefined)
      throw new ApiError('invalid_request', `${param}: is not spoken by this engine`, { param })
}
