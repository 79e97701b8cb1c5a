import { CHECK_NAMES, type CheckName, type CheckOutcome, type CheckResult, notRun } from '../check.ts'
import { adviceFor } from './advice.ts'
import type { Policy } from './policy.ts'

export type Decision = 'approved' | 'review' | 'declined'

/** Reason why a decision is not an approval, for the person and their support staff. */
export interface DecisionReason {
  readonly code: string
  readonly check: CheckName
  readonly outcome: CheckOutcome
  /** Safe to show to the person. */
  readonly message: string
  readonly next_step: string
  /** Whether a new attempt can succeed. */
  readonly retryable: boolean
}

export interface DecisionResult {
  readonly decision: Decision
  readonly reasons: readonly DecisionReason[]
}

/**
 * Decides on the results of checks by a policy. Pure and monotone: a worse outcome of any check never gives a better
 * decision. A missing check counts as `not_run`.
 *
 * @example
 * decide([], DEFAULT_POLICY).decision // 'review'
 */
export function decide(results: readonly CheckResult[], policy: Policy): DecisionResult {
  const byName = new Map(results.map((result) => [result.check, result]))
  const open = CHECK_NAMES.map((check) => byName.get(check) ?? notRun(check, 'not_run')).filter((result) =>
    isOpen(result, policy),
  )
  const isDeclined = open.some(
    ({ check, outcome }) => outcome === 'failed' && policy.declineOn.includes(check),
  )
  const decision = isDeclined ? 'declined' : open.length > 0 ? 'review' : 'approved'
  return { decision, reasons: open.map(toReason) }
}

function isOpen({ check, outcome }: CheckResult, policy: Policy): boolean {
  switch (policy.weights[check]) {
    case 'required':
      return outcome !== 'passed'
    case 'supporting':
      return outcome === 'failed' || outcome === 'warning'
    case 'ignored':
      return false
  }
}

function toReason({ check, outcome, code }: CheckResult): DecisionReason {
  return { code, check, outcome, ...adviceFor(check, code) }
}
