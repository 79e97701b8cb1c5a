export { toAgent } from './agent-rows.ts'
export { DEFAULT_AGENTS, insertDefaultAgents } from './default-agents.ts'
export type { AgentStore as AgentsPort, Speaker } from './store.ts'
