import type { ModelResource } from '@vaani/contracts'
import type { Principal } from '@vaani/service-kit/http/principal'

/** Our models that speak. Names of OpenAI for them are understood, but not listed. */
const SPEECH_MODELS = ['synth-v1', 'synth-l1', 'synth-l2'] as const

/** Lists models in the wire format: those that chat, then those that speak. */
export function listModelNames(options: {
  chat: readonly string[]
  isBuiltIn: boolean
  speaks: boolean
  nowMs: number
}): ModelResource[] {
  const { chat, isBuiltIn, speaks, nowMs } = options
  // The age of a model of others is not known, but the time from which it is offered here is.
  const created = Math.floor(nowMs / 1000)
  const toModel = (id: string, owner: string): ModelResource => ({
    id,
    object: 'model',
    created,
    owned_by: owner,
  })
  return [
    ...chat.map((name) => toModel(name, isBuiltIn ? 'vaani' : 'upstream')),
    ...(speaks ? SPEECH_MODELS.map((name) => toModel(name, 'vaani')) : []),
  ]
}

/** Returns the models that the caller may use: all, unless a license limits them. */
export const permittedModels = (
  models: readonly ModelResource[],
  { models: permitted }: Pick<Principal, 'models'>,
): ModelResource[] => models.filter(({ id }) => permitted?.has(id) ?? true)
