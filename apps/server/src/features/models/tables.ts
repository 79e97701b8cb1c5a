import type { Id } from '@vaani/contracts'
import type { Generated } from 'kysely'

export interface ModelUsageTable {
  account_id: Id<'account'>
  livemode: boolean
  /** In UTC. */
  day: string
  model: string
  requests: Generated<string>
  requests_without_usage: Generated<string>
  prompt_tokens: Generated<string>
  completion_tokens: Generated<string>
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    model_usage: ModelUsageTable
  }
}
