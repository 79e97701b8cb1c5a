import type { Id } from '@vaani/contracts'
import type { Json } from '@vaani/service-kit/database/connect'
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

/** A file or a batch that an upstream keeps. */
export interface StoredObjectTable {
  account_id: Id<'account'>
  livemode: boolean
  kind: 'file' | 'batch'
  /** At the upstream. */
  object_id: string
  upstream: string
  /** Name that requests use. */
  model: string
  /** What the upstream said of it when it was last asked. */
  view: Json<{ readonly id: string; readonly [member: string]: unknown }>
  created_at: Date
  asked_at: Date
  /** When the usage of a batch was counted. */
  ended_at: Date | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    model_usage: ModelUsageTable
    stored_objects: StoredObjectTable
  }
}
