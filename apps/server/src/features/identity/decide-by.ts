import {
  type CheckResult,
  checkAccepted,
  decide,
  type DecisionResult,
  type ExtractedFields,
  type Policy,
} from '@vaani/identity-checks'
import { lastToday } from './rules/last-today.ts'

/** Results of checks, and what a policy decides by them and by what was read. */
export interface PolicyDecision extends DecisionResult {
  readonly checks: readonly CheckResult[]
}

/**
 * Decides by a policy. Whether it accepts the document is checked anew, because that depends on the policy; if nothing is left of what was
 * read, as after an erasure, the earlier result stays.
 */
export function decideBy(
  policy: Policy,
  {
    checks,
    extracted,
    livemode,
    nowMs,
  }: {
    checks: readonly CheckResult[]
    extracted: ExtractedFields | null
    livemode: boolean
    nowMs: number
  },
): PolicyDecision {
  const today = lastToday(nowMs)
  const accepted = checkAccepted(extracted, policy.accepts, { today, livemode })
  const isKept = extracted === null && checks.some(({ check }) => check === accepted.check)
  const all = isKept ? checks : [...checks.filter(({ check }) => check !== accepted.check), accepted]
  return { ...decide(all, policy), checks: all }
}
