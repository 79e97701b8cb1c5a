import type {
  CallDirection,
  CallEndedBy,
  CallFailureReason,
  CallQuality,
  CallStatus,
  Id,
} from '@vaani/contracts'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Generated } from 'kysely'

export interface CallTable {
  call_id: string
  account_id: Id<'account'>
  livemode: boolean
  status: CallStatus
  to_number: string
  agent_id: string
  scheduled_at: Date | null
  /** As sent in the request, with its UTC offset. */
  scheduled_at_text: string | null
  from_caller_id: string | null
  language: string
  metadata: Json<Record<string, unknown>> | null
  carrier: string
  direction: Generated<CallDirection>
  created_at: Date
  /** Since when it has waited to be dialled; null while its time has not come. */
  waiting_since: Date | null
  /** Set before dialling, so that a crash cannot lead to dialling twice. */
  dial_started_at: Date | null
  worker_id: string | null
  /** Written by, and for, earlier versions, which leased each row. */
  lease_expires_at: Date | null
  /** When its line let it be dialled; null for lines without a limit of calls per second. */
  line_admitted_at: Date | null
  /** When the carrier first reported that it rings. */
  ringing_since: Date | null
  answered_at: Date | null
  ended_at: Date | null
  duration_seconds: number | null
  failure_reason: CallFailureReason | null
  ended_by: CallEndedBy | null
  /** Final response of a call that was not answered. */
  sip_status: number | null
  q850_cause: number | null
  quality: Json<CallQuality> | null
  /** How another worker can hang up an answered call of a line, if its own dies; null once it has ended. */
  farewell: string | null
  /** Key of the blob; null once the blob is removed. */
  recording_key: string | null
  /** Sealed; null once the recording is erased, and for unencrypted recordings of earlier versions. */
  recording_data_key: Buffer | null
  recording_erased_at: Date | null
  /** Trace context of the request that placed it; null unless that is sampled. */
  traceparent: string | null
}

export interface CallTranscriptTable {
  call_id: string
  /** Sealed with the data key of the recording. */
  turns: Buffer
}

/** A line with a limit of calls per second. */
export interface LineTable {
  carrier: string
  /** Its last dials, as many as the limit. */
  dialled_at: Date[]
}

/** What an account used of phone lines in a UTC day. */
export interface LineUseTable {
  account_id: string
  /** As `2027-01-31`. */
  day: string
  minutes: number
  /** Millionths of the currency. */
  spend_micros: string
}

export interface LineAttemptsTable {
  account_id: string
  phone_number: string
  day: string
  attempts: number
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    calls: CallTable
    lines: LineTable
    line_use: LineUseTable
    line_attempts: LineAttemptsTable
    call_transcripts: CallTranscriptTable
  }
}
