import type { VerificationStatus } from '@vaani/contracts'
import type { DecisionReason } from '@vaani/identity-checks'

/**
 * Whether the person should send it again, instead of waiting for a reviewer: everything that the checks found wrong can be put
 * right by a new attempt. Checks that did not run are no finding. After a reviewer's decision, nothing is left to do.
 */
export function shouldResubmit(row: {
  status: VerificationStatus
  reasons: readonly Pick<DecisionReason, 'outcome' | 'retryable'>[]
  reviewed_by: string | null
}): boolean {
  if (row.status === 'pending' || row.status === 'approved' || row.reviewed_by !== null) return false
  const findings = row.reasons.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
  return findings.length > 0 && findings.every(({ retryable }) => retryable)
}
