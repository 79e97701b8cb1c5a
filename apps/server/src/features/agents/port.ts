export { toAgent } from './agent-rows.ts'
export { insertDefaultAgents } from './default-agents.ts'
export type { AgentStore as AgentsPort, Speaker } from './store.ts'
