import { CHECK_NAMES, type CheckName, type CheckResult, notRun } from '@vaani/identity-checks/check'

const MODEL = 'sandbox/1'

const result = (check: CheckName, outcome: CheckResult['outcome'], code: string): CheckResult => ({
  check,
  outcome,
  code,
  score: { passed: 1, warning: 0.4, failed: 0, not_run: null }[outcome],
  evidence: { simulated: true },
  model: MODEL,
})
const allPassed = CHECK_NAMES.map((check) => result(check, 'passed', 'simulated'))
const but = (check: CheckName, outcome: CheckResult['outcome'], code: string): readonly CheckResult[] =>
  allPassed.map((one) => (one.check === check ? result(check, outcome, code) : one))

/** External ids that give a fixed outcome with a test key. The media is received as usual, but not checked. A suffix from `:` on is ignored. */
const OUTCOMES: ReadonlyMap<string, readonly CheckResult[]> = new Map(
  Object.entries({
    test_approved: allPassed,
    test_review_glare: but('document_quality', 'warning', 'image_glare'),
    test_review_liveness: allPassed.map((one) =>
      one.check === 'liveness' ? notRun('liveness', 'no_engine') : one,
    ),
    test_declined_expired: but('document_expiry', 'failed', 'document_expired'),
  }),
)

const nameOf = (externalId: string): string => externalId.split(':', 1)[0] ?? ''

/** Whether an external id, with a test key, makes the media be refused as a recapture. */
export const isSandboxSpoof = (externalId: string | null): boolean =>
  externalId !== null && nameOf(externalId) === 'test_spoof'

/** Returns the simulated results for a test key with a magic external id; null otherwise. */
export const sandboxChecks = (row: {
  livemode: boolean
  external_id: string | null
}): readonly CheckResult[] | null =>
  row.livemode || row.external_id === null ? null : (OUTCOMES.get(nameOf(row.external_id)) ?? null)
