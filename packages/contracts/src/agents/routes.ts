import { z } from 'zod'
import { defineRoute } from '../shared/route.ts'
import { agentSchema } from './resources.ts'

/** Agents that speak on calls. */
export const agentRoutes = {
  list: defineRoute({
    operation: 'agents.list',
    method: 'GET',
    path: '/agent/agents',
    summary: 'List agents',
    description: 'Lists the account’s agents. A new account has `reminder` and `support`.',
    scope: 'calls:read',
    beyondSpecification: true,
    success: { 200: z.object({ data: z.array(agentSchema) }).meta({ id: 'AgentList' }) },
  }),
} as const
