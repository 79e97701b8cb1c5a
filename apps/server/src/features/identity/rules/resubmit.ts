import type { VerificationStatus } from '@vaani/contracts'
import type { DecisionReason } from '@vaani/identity-checks'

/**
 * Whether the person should send it again, instead of waiting for a reviewer: everything that the checks found wrong can be put
 * right by a new attempt, or reviewers declined for such reasons. Checks that did not run are no finding.
 */
export function shouldResubmit(row: {
  status: VerificationStatus
  reasons: readonly Pick<DecisionReason, 'outcome' | 'retryable'>[]
}): boolean {
  if (row.status === 'pending' || row.status === 'approved') return false
  const findings = row.reasons.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
  return findings.length > 0 && findings.every(({ retryable }) => retryable)
}
