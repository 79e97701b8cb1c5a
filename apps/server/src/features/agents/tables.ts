import type { Id } from '@vaani/contracts'
import type { Json } from '@vaani/service-kit/database/connect'

export interface AgentTable {
  account_id: Id<'account'>
  livemode: boolean
  agent_id: string
  name: string
  language: string
  voice: string
  greeting: string
  translations: Json<Record<string, string>>
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    agents: AgentTable
  }
}
