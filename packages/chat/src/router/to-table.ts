import { type OptionProblem, throwProblems } from '../chat-options-error.ts'
import { type Endpoint, ENDPOINTS } from '../endpoints.ts'
import type { ChatProvider } from '../provider.ts'
import type { ChatTarget } from './order-targets.ts'

/** A model of a provider, and its share of the requests. */
export interface Target {
  readonly provider: string
  readonly model: string
  readonly weight: number
}

type Providers = Readonly<Record<string, ChatProvider>>

/** Models of a provider for what is asked for; for chats if there is no endpoint. */
export const modelsOf = (
  provider: ChatProvider | undefined,
  endpoint: Endpoint | undefined,
): readonly string[] =>
  (endpoint === undefined ? provider?.models() : provider?.endpoints?.()[endpoint]) ?? []

/** All models of a provider, whatever they are for. */
const allModelsOf = (provider: ChatProvider): string[] => [
  ...new Set([undefined, ...ENDPOINTS].flatMap((endpoint) => modelsOf(provider, endpoint))),
]

/** Makes the table of what answers for each name. @throws ChatOptionsError with all that is wrong */
export function toTable({
  providers,
  models,
}: {
  providers: Providers
  models?: Readonly<Record<string, readonly ChatTarget[]>> | undefined
}): ReadonlyMap<string, readonly Target[]> {
  const problems: OptionProblem[] = []
  if (Object.keys(providers).length === 0) problems.push({ field: 'providers', problem: 'must not be empty' })
  const table = new Map<string, Target[]>()
  if (models === undefined) {
    for (const [provider, one] of Object.entries(providers))
      for (const model of allModelsOf(one))
        table.set(model, [...(table.get(model) ?? []), { provider, model, weight: 1 }])
    throwProblems(problems)
    return table
  }
  for (const [name, targets] of Object.entries(models)) {
    const field = `models.${name}`
    if (targets.length === 0) problems.push({ field, problem: 'must not be empty' })
    const complete = targets.map(({ provider, model = name, weight = 1 }) => ({ provider, model, weight }))
    for (const [index, target] of complete.entries())
      problems.push(...problemsOf(target, { providers, field: `${field}.${index}` }))
    table.set(name, complete)
  }
  if (table.size === 0) problems.push({ field: 'models', problem: 'must not be empty' })
  throwProblems(problems)
  return table
}

function problemsOf(
  { provider, model, weight }: Target,
  { providers, field }: { providers: Providers; field: string },
): OptionProblem[] {
  const problems: OptionProblem[] = []
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (known === undefined)
    problems.push({ field: `${field}.provider`, problem: 'is not the name of a provider' })
  else if (!allModelsOf(known).includes(model))
    problems.push({ field: `${field}.model`, problem: 'is not a model of its provider' })
  if (!Number.isFinite(weight) || weight < 0)
    problems.push({ field: `${field}.weight`, problem: 'must be zero or a positive number' })
  return problems
}
