import type { VerificationStatus } from '@vaani/contracts'
import type { CheckResult, DecisionReason } from '@vaani/identity-checks'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated, Selectable } from 'kysely'

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
  not_before: Date | null
  /** Of versions that leased each row, and for them. */
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
  /** Of the request that submitted it; null unless that is sampled. */
  traceparent: string | null
}

export type VerificationRow = Selectable<VerificationTable>

export interface MediaFingerprintTable {
  account_id: string
  livemode: boolean
  /** Keyed, so that it tells nothing to whoever reads it. */
  fingerprint: Buffer
  verification_id: string
  external_id: string | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    verifications: VerificationTable
    media_fingerprints: MediaFingerprintTable
  }
}
