import type {
  CallEndedBy,
  CallFailureReason,
  CallStatus,
  RateOverrides,
  Scope,
  Tier,
  VerificationStatus,
} from '@vaani/contracts'
import type { CheckResult, DecisionReason } from '@vaani/identity-checks'
import type { ColumnType, Generated } from 'kysely'
import type { AuditAction } from '../tenancy/audit-log.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** Written as JSON text and read as a value, in the order in which it was written. */
type Json<T> = ColumnType<T, string, string>

export interface AccountTable {
  account_id: string
  name: string
  tier: Tier
  operator: boolean
  /** Of the live mode. */
  call_webhook_url: string | null
  test_call_webhook_url: string | null
  rate_overrides: Json<RateOverrides>
  /** Null: the server's. */
  identity_policy: string | null
  media_retention_days: number | null
  recording_retention_days: number | null
  created_at: Date
}

export interface ApiKeyTable {
  key_id: string
  account_id: string
  name: string
  /** SHA-256 of the key. */
  hash: Buffer
  hint: string
  scopes: Scope[]
  livemode: boolean
  created_at: Date
  revoked_at: Date | null
}

export interface CallerIdTable {
  caller_id_id: string
  account_id: string
  livemode: boolean
  phone_number: string
  verified_at: Date
  removed_at: Date | null
}

export interface AgentTable {
  account_id: string
  livemode: boolean
  agent_id: string
  name: string
  language: string
  voice: string
  greeting: string
  translations: Json<Record<string, string>>
}

export interface CallTable {
  call_id: string
  account_id: string
  livemode: boolean
  status: CallStatus
  to_number: string
  agent_id: string
  scheduled_at: Date | null
  /** As the caller wrote it, with its offset. */
  scheduled_at_text: string | null
  from_caller_id: string | null
  language: string
  metadata: Json<Record<string, unknown>> | null
  carrier: string
  created_at: Date
  /** Set before the dial, so that a crash cannot lead to a second one. */
  dial_started_at: Date | null
  worker_id: string | null
  lease_expires_at: Date | null
  answered_at: Date | null
  ended_at: Date | null
  duration_seconds: number | null
  failure_reason: CallFailureReason | null
  ended_by: CallEndedBy | null
  /** Of the blob; null once it is removed. */
  recording_key: string | null
  /** Sealed; null once the recording is erased, and for what earlier versions kept in the clear. */
  recording_data_key: Buffer | null
  recording_erased_at: Date | null
}

export interface EventTable {
  event_id: string
  account_id: string
  livemode: boolean
  type: string
  object_id: string
  /** The webhook body, byte for byte as it will be sent. */
  body: string
  sequence: Generated<string>
  /** Where the submission asked its own event to be sent. */
  callback_url: Generated<string | null>
  created_at: Date
}

/** A picture or video of a verification, as it is kept. */
export interface StoredArtifact {
  name: string
  /** Of the blob; encrypted under the verification's data key. */
  key: string
  bytes: number
}

export interface VerificationTable {
  verification_id: string
  account_id: string
  version: 1 | 2
  status: VerificationStatus
  livemode: boolean
  external_id: string | null
  callback_url: string | null
  store_media: boolean
  /** Sealed; null once the media is erased. */
  data_key: Buffer | null
  artifacts: Json<StoredArtifact[]>
  checks: Json<CheckResult[]>
  reasons: Json<DecisionReason[]>
  policy: string
  /** Sealed. */
  extracted: Buffer | null
  worker_id: string | null
  /** Without a worker: until when nobody takes it up again. */
  lease_expires_at: Date | null
  /** How often its checks were begun. */
  attempts: Generated<number>
  created_at: Date
  decided_at: Date | null
  media_erased_at: Date | null
  /** The key of the reviewer. */
  reviewed_by: string | null
  /** Sealed. */
  review_note: Buffer | null
}

export interface MediaFingerprintTable {
  account_id: string
  livemode: boolean
  /** Keyed, so that it tells nothing to whoever reads it. */
  fingerprint: Buffer
  verification_id: string
  external_id: string | null
}

export interface IdempotencyTable {
  account_id: string
  livemode: boolean
  key: string
  fingerprint: Buffer
  status: number | null
  body: string | null
  locked_until: Date
  created_at: Date
}

/** Rows are only ever added. */
export interface AuditLogTable {
  sequence: Generated<string>
  happened_at: Date
  action: AuditAction
  /** Id of a key, or a person at the machine. */
  actor: string
  account_id: string
  key_id: string | null
}

export interface Database extends WebhookTables {
  accounts: AccountTable
  audit_log: AuditLogTable
  api_keys: ApiKeyTable
  caller_ids: CallerIdTable
  agents: AgentTable
  calls: CallTable
  events: EventTable
  idempotency_keys: IdempotencyTable
  verifications: VerificationTable
  media_fingerprints: MediaFingerprintTable
}
