import { LIMITS, type OwnCallerId } from '@vaani/contracts'
import type { AdminPort } from '../admin/port.ts'
import { findFailure } from './rules/judge-verification.ts'
import type { VerificationRow } from './store.ts'

type VerifiedRow = NonNullable<Awaited<ReturnType<AdminPort['callerIds']['find']>>>

/** Shows a verification that was not verified. */
export function toPending(row: VerificationRow, nowMs: number): OwnCallerId {
  const failure = findFailure(row, nowMs)
  return {
    caller_id_id: row.caller_id_id,
    livemode: row.livemode,
    phone_number: row.phone_number,
    source: 'call',
    status: failure === null ? 'pending' : 'failed',
    failure_reason: failure,
    attempts_left: failure === null ? LIMITS.callerIdCodeAttempts - row.attempts : null,
    expires_at: failure === null ? row.expires_at.toISOString() : null,
    verified_at: null,
  }
}

export const toVerified = (row: VerifiedRow): OwnCallerId => ({
  caller_id_id: row.caller_id_id,
  livemode: row.livemode,
  phone_number: row.phone_number,
  source: row.source,
  status: 'verified',
  failure_reason: null,
  attempts_left: null,
  expires_at: null,
  verified_at: row.verified_at.toISOString(),
})
