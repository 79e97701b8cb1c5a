import type { CallerIdFailureReason, CallerIdLanguage, Id } from '@vaani/contracts'
import type { Generated } from 'kysely'

export interface CallerIdVerificationTable {
  caller_id_id: string
  account_id: Id<'account'>
  livemode: boolean
  phone_number: string
  language: CallerIdLanguage
  carrier: string
  /** Whether a phone rings; false for the simulator in test mode. */
  rings: boolean
  /** Codes that were tried. */
  attempts: Generated<number>
  created_at: Date
  expires_at: Date
  /** Set before dialling, so that a crash cannot lead to dialling twice. */
  worker_id: string | null
  call_ended_at: Date | null
  failure_reason: CallerIdFailureReason | null
  verified_at: Date | null
  removed_at: Date | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    caller_id_verifications: CallerIdVerificationTable
  }
}
