import { agentsRoutes } from '../generated/routes.ts'
import type { AgentList } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods } from './resource.ts'

/** Agents that can make calls. */
export interface Agents {
  list(options?: RequestOptions): Pending<AgentList>
}

export const createAgents = (connection: Connection): Agents => methods(connection, 'agents', agentsRoutes)
