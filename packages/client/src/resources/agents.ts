import { agentsList } from '../generated/routes.ts'
import type { AgentList } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, method } from './resource.ts'

/** Agents that calls can be placed from. */
export interface Agents {
  list(options?: RequestOptions): Pending<AgentList>
}

export function createAgents(connection: Connection): Agents {
  const transport = connect(connection)
  return { list: method(transport, agentsList) }
}
