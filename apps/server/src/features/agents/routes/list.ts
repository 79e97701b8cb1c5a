import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { toAgent } from '../agent-rows.ts'
import type { AgentStore } from '../store.ts'

/** GET /agent/agents */
export function listAgents(agents: AgentStore): Handler<Contract['agents']['list']> {
  return async ({ request }) => {
    const rows = await agents.list(principalOf(request))
    return { status: 200, body: { data: rows.map(toAgent) } }
  }
}
