import type { Id, MemberRole, RateOverrides, Scope, Tier } from '@vaani/contracts'
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
  /** Empty for a member, whose role says what they may do. */
  scopes: Scope[]
  livemode: boolean
  created_at: Date
  revoked_at: Date | null
  /** The key stands for this member, and nobody holds it. */
  member_id: Id<'member'> | null
}

/** People who use the console. */
export interface MemberTable {
  member_id: Id<'member'>
  account_id: Id<'account'>
  name: string
  role: MemberRole
  /** SHA-256 of the invitation; null without an open one. */
  invitation_hash: Buffer | null
  invitation_expires_at: Date | null
  /** Mode in which the next session begins, if the member may work in it. */
  prefers_live: Generated<boolean>
  /** When the member first had a way to sign in; null before, and after all of them ended. */
  joined_at: Date | null
  signed_in_at: Date | null
  /** Sessions that began earlier have ended. */
  sessions_since: Date | null
  /** Who the member is to an OpenID provider; null unless they sign in there. */
  oidc_issuer: string | null
  oidc_subject: string | null
  created_at: Date
  removed_at: Date | null
}

/** Changes of keys and members, whoever made them. */
export type TenancyAction =
  | 'key.created'
  | 'key.revoked'
  | 'member.invited'
  | 'member.joined'
  | 'member.changed'
  | 'member.removed'

/** Append-only. */
export interface AuditLogTable {
  sequence: Generated<string>
  entry_id: Id<'audit'>
  happened_at: Date
  /** A change, or the operation of a request that a page made. */
  action: string
  /** Id of a key, or a person at the machine. */
  actor: string
  account_id: Id<'account'>
  key_id: Id<'key'> | null
  livemode: boolean
  /** Id of what was changed or looked at, if it is one object. */
  object_id: string | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    accounts: AccountTable
    api_keys: ApiKeyTable
    members: MemberTable
    audit_log: AuditLogTable
  }
}
