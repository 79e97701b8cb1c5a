import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import { listAgents } from './routes/list.ts'
import { createAgentStore } from './store.ts'

/** The agents that speak in calls, and their words. */
export const agentsFeature = defineFeature({
  name: 'agents',
  contract: { agents: contract.agents },
  async start({ database }: Pick<Services, 'database'>) {
    const agents = createAgentStore(database)
    return {
      mounts: [handle(contract.agents, { list: listAgents(agents) })],
      port: agents,
      counters: { agents: agents.count },
    }
  },
})
