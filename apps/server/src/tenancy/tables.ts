import type { Id, RateOverrides, Scope, Tier } from '@vaani/contracts'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated } from 'kysely'

export interface AccountTable {
  account_id: Id<'account'>
  name: string
  tier: Tier
  operator: boolean
  /** Call webhook of the live mode. */
  call_webhook_url: string | null
  test_call_webhook_url: string | null
  rate_overrides: Json<RateOverrides>
  /** Null selects the server's policy. */
  identity_policy: string | null
  media_retention_days: number | null
  recording_retention_days: number | null
  webhooks_include_extracted: Generated<boolean>
  created_at: Date
}

export interface ApiKeyTable {
  key_id: Id<'key'>
  account_id: Id<'account'>
  name: string
  /** SHA-256 of the key. */
  hash: Buffer
  hint: string
  scopes: Scope[]
  livemode: boolean
  created_at: Date
  revoked_at: Date | null
}

export type AuditAction = 'key.created' | 'key.revoked'

/** Append-only. */
export interface AuditLogTable {
  sequence: Generated<string>
  happened_at: Date
  action: AuditAction
  /** Id of a key, or a person at the machine. */
  actor: string
  account_id: Id<'account'>
  key_id: Id<'key'> | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    accounts: AccountTable
    api_keys: ApiKeyTable
    audit_log: AuditLogTable
  }
}
