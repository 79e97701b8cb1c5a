import type { ArtifactName, Id, ReviewEntry, ReviewReason, VerificationStatus } from '@vaani/contracts'
import type { CheckResult } from '@vaani/identity-checks'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated, Selectable } from 'kysely'
import type { StoredReason } from './rules/review-reasons.ts'

/** A stored image or video of a verification. */
export interface StoredArtifact {
  name: ArtifactName
  /** Key of the blob, which is encrypted under the verification's data key. */
  key: string
  bytes: number
}

export interface VerificationTable {
  verification_id: string
  account_id: Id<'account'>
  version: 1 | 2
  status: VerificationStatus
  livemode: boolean
  external_id: string | null
  callback_url: string | null
  store_media: boolean
  /** Sealed; null once it is erased, which makes the media and the sealed columns unreadable. */
  data_key: Buffer | null
  artifacts: Json<StoredArtifact[]>
  checks: Json<CheckResult[]>
  reasons: Json<StoredReason[]>
  policy: string
  /** Sealed. */
  extracted: Buffer | null
  worker_id: string | null
  /** Earliest time of the next claim, if no worker holds it. */
  not_before: Date | null
  /** Written by, and for, earlier versions, which leased each row. */
  lease_expires_at: Date | null
  /** How often its checks were started. */
  attempts: Generated<number>
  created_at: Date
  decided_at: Date | null
  /** When the media was removed from the blob store. */
  media_erased_at: Date | null
  /** When everything about the person was erased, except for the media, which follows. */
  erased_at: Generated<Date | null>
  /** Id of the reviewer's API key. */
  reviewed_by: string | null
  /** Written by earlier versions; notes are entries now. */
  review_note: Generated<Buffer | null>
  /** Whether a review waits until the person sends something again. */
  awaits_person: Generated<boolean>
  /** The claim on the review: key, person and end. */
  claim_key_id: Generated<Id<'key'> | null>
  claim_reviewer: Generated<string | null>
  claim_expires_at: Generated<Date | null>
  /** Trace context of the submitting request; null unless that is sampled. */
  traceparent: string | null
}

export type VerificationRow = Selectable<VerificationTable>

/** Digests of media, and of what was read from documents. */
export interface MediaFingerprintTable {
  account_id: Id<'account'>
  livemode: boolean
  /** Keyed digest, so that it reveals nothing without the key. */
  fingerprint: Buffer
  verification_id: string
  external_id: string | null
}

/** What somebody did in a review. */
export interface ReviewEntryTable {
  entry_id: string
  verification_id: string
  type: ReviewEntry['type']
  key_id: Id<'key'>
  reviewer: string | null
  /** Whether the key could vouch for the reviewer. */
  vouched: Generated<boolean>
  /** Of a vote. */
  decision: ReviewEntry['decision']
  reasons: Generated<ReviewReason[]>
  /** What was looked at, or asked for again. */
  artifact: ReviewEntry['artifact']
  /** What is wrong with what is asked for again. */
  problem: ReviewEntry['problem']
  /** Sealed; null if there is none, or it was erased. */
  note: Buffer | null
  created_at: Date
}

/** A reason of a verification in review, written by a trigger, to find it in the queue. */
export interface ReviewReasonTable {
  account_id: string
  livemode: boolean
  awaits_person: boolean
  code: string
  policy: string
  verification_id: string
}

export type EntryRow = Selectable<ReviewEntryTable>

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    verifications: VerificationTable
    media_fingerprints: MediaFingerprintTable
    review_entries: ReviewEntryTable
    review_reasons: ReviewReasonTable
  }
}
