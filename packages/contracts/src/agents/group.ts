import type { GroupDeclaration } from '../shared/group.ts'

export const agentsGroup = {
  name: 'agents',
  description: 'Agents that speak on calls.',
  limits: { agentTextCharacters: 2000, agentTranslations: 20, agentsPerAccount: 100 },
} as const satisfies GroupDeclaration
