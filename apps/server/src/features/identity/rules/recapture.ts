import { type CheckResult, worseResult } from '@vaani/identity-checks/check'

/** Codes of a check that did not complete, whatever the picture shows. */
const INCOMPLETE: ReadonlySet<string> = new Set(['check_failed', 'check_timed_out'])

/**
 * Returns the result of the recapture check from those of the document's sides. Returns null if one of them did not complete:
 * the worker then runs the check again, because a faulty process must not decide whether a recapture is rejected.
 */
export function recaptureOf(sides: readonly CheckResult[]): CheckResult | null {
  const [first, ...others] = sides
  if (first === undefined || sides.some(({ code }) => INCOMPLETE.has(code))) return null
  return others.reduce(worseResult, first)
}
