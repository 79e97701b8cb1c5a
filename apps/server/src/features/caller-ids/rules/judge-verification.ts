import { type CallerIdFailureReason, LIMITS } from '@vaani/contracts'

export interface VerificationState {
  attempts: number
  expires_at: Date
  failure_reason: CallerIdFailureReason | null
}

/** Returns why a verification that was not verified has failed; null while it is pending. */
export function findFailure(
  { attempts, expires_at, failure_reason }: VerificationState,
  nowMs: number,
): CallerIdFailureReason | null {
  if (failure_reason !== null) return failure_reason
  if (attempts >= LIMITS.callerIdCodeAttempts) return 'too-many-attempts'
  return expires_at.getTime() <= nowMs ? 'expired' : null
}
