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
  const all = CHECK_NAMES.map((check) => byName.get(check) ?? notRun(check, 'not_run'))
  const open = all.filter((result) => isOpen(result, policy))
  const openGroups = policy.anyOf
    .map((group) => group.flatMap((check) => all.filter((result) => result.check === check)))
    .filter((group) => group.every(({ outcome }) => outcome !== 'passed'))
  const isDeclined = [...open, ...openGroups.flat()].some(
    ({ check, outcome }) => outcome === 'failed' && policy.declineOn.includes(check),
  )
  const isApproved = open.length === 0 && openGroups.length === 0
  const named = new Set([...open, ...openGroups.flatMap(findingOf)])
  return {
    decision: isDeclined ? 'declined' : isApproved ? 'approved' : 'review',
    reasons: all.filter((result) => named.has(result)).map(toReason),
  }
}

/**
 * Returns the check to name as the reason for an open group: the last one that found something, because each runs only if those
 * before it read nothing, or else the last, in the order of the group.
 */
function findingOf(group: readonly CheckResult[]): readonly CheckResult[] {
  const found = group.findLast(({ outcome }) => outcome === 'warning' || outcome === 'failed')
  return found === undefined ? group.slice(-1) : [found]
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
