import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName, type CheckOutcome, type CheckResult } from '../check.ts'
import { decide } from './decide.ts'
import { DEFAULT_POLICY, DOCUMENT_ONLY_POLICY, POLICIES, type Policy } from './policy.ts'

const result = (check: CheckName, outcome: CheckOutcome): CheckResult => ({
  check,
  outcome,
  code: `${check}_${outcome}`,
  score: null,
  evidence: {},
  model: 'test/1',
})
const allPassed = CHECK_NAMES.map((check) => result(check, 'passed'))
const but = (check: CheckName, outcome: CheckOutcome) =>
  allPassed.map((one) => (one.check === check ? result(check, outcome) : one))

/** Outcomes from best to worst. `not_run` is worse than `passed`, and better than a warning. */
const RANKS: Readonly<Record<CheckOutcome, number>> = { passed: 0, not_run: 1, warning: 2, failed: 3 }
const DECISIONS = { approved: 0, review: 1, declined: 2 }

const policies: fc.Arbitrary<Policy> = fc.record({
  name: fc.constant('any'),
  weights: fc
    .tuple(
      ...CHECK_NAMES.map(() =>
        fc.constantFrom('required' as const, 'supporting' as const, 'ignored' as const),
      ),
    )
    .map(
      (weights) =>
        Object.fromEntries(CHECK_NAMES.map((check, index) => [check, weights[index]])) as Policy['weights'],
    ),
  accepts: fc.constant(DEFAULT_POLICY.accepts),
  anyOf: fc.array(fc.subarray([...CHECK_NAMES], { minLength: 1 }), { maxLength: 2 }),
  declineOn: fc.subarray([...CHECK_NAMES]),
  reviewers: fc.constant(1),
  reviewWithinHours: fc.constant(null),
})
const outcomes = fc.constantFrom<CheckOutcome>('passed', 'warning', 'failed', 'not_run')

describe('a decision', () => {
  test('is an approval only if every required check passed', () => {
    expect(decide(allPassed, DEFAULT_POLICY)).toEqual({ decision: 'approved', reasons: [] })
    expect(decide([], DEFAULT_POLICY).decision).toBe('review')
    expect(decide(but('liveness', 'not_run'), DEFAULT_POLICY).decision).toBe('review')
    expect(decide(but('liveness', 'not_run'), DOCUMENT_ONLY_POLICY).decision).toBe('approved')
    expect(decide(but('document_expiry', 'failed'), DEFAULT_POLICY).decision).toBe('declined')
    expect(decide(but('document_recapture', 'failed'), DEFAULT_POLICY).decision).toBe('review')
  })

  test('says of a face that was not compared what is always sent', () => {
    const [reason] = decide(but('face_match', 'not_run'), DEFAULT_POLICY).reasons
    expect(reason?.message).toBe('The face in the video was not compared with the one on the document.')
  })

  test('never improves with a worse outcome of a check, for any policy', () => {
    const each = fc.tuple(...CHECK_NAMES.map(() => outcomes))
    fc.assert(
      fc.property(policies, each, fc.nat(CHECK_NAMES.length - 1), outcomes, (policy, all, which, other) => {
        const before = CHECK_NAMES.map((check, index) => result(check, all[index] ?? 'not_run'))
        const changed = CHECK_NAMES.map((check, index) =>
          result(check, index === which ? other : (all[index] ?? 'not_run')),
        )
        const [better, worse] =
          RANKS[all[which] ?? 'not_run'] <= RANKS[other] ? [before, changed] : [changed, before]
        expect(DECISIONS[decide(worse, policy).decision]).toBeGreaterThanOrEqual(
          DECISIONS[decide(better, policy).decision],
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('of a policy with groups needs one of each, and names what found something', () => {
    const policy: Policy = {
      ...DOCUMENT_ONLY_POLICY,
      weights: { ...DOCUMENT_ONLY_POLICY.weights, mrz_checks: 'ignored' },
      anyOf: [['mrz_checks', 'barcode', 'document_template']],
    }
    const read = (mrz: CheckOutcome, barcode: CheckOutcome, template: CheckOutcome) =>
      decide(
        [
          ...allPassed.filter(({ check }) => !policy.anyOf.flat().includes(check)),
          result('mrz_checks', mrz),
          result('barcode', barcode),
          result('document_template', template),
        ],
        policy,
      )
    expect(read('warning', 'not_run', 'passed').decision).toBe('approved')
    expect(read('passed', 'not_run', 'not_run').decision).toBe('approved')
    // A weight still counts: the barcode may not warn.
    expect(read('passed', 'warning', 'not_run').decision).toBe('review')
    const reasons = (...all: Parameters<typeof read>) => read(...all).reasons.map(({ check }) => check)
    expect(reasons('warning', 'not_run', 'warning')).toEqual(['document_template'])
    expect(reasons('warning', 'not_run', 'not_run')).toEqual(['mrz_checks'])
    expect(reasons('not_run', 'not_run', 'not_run')).toEqual(['document_template'])
    expect(decide(allPassed, { ...policy, anyOf: [[]] }).decision).toBe('review')
  })

  test('of the built-in policies never follows from a template', () => {
    const onlyTemplate = allPassed.map((one) =>
      one.check === 'mrz_checks' || one.check === 'barcode' ? result(one.check, 'not_run') : one,
    )
    for (const policy of Object.values(POLICIES)) expect(decide(onlyTemplate, policy).decision).toBe('review')
  })

  test('includes advice to the person for each open check', () => {
    const { reasons } = decide([...but('liveness', 'not_run')], DEFAULT_POLICY)
    expect(reasons).toEqual([
      {
        code: 'liveness_not_run',
        check: 'liveness',
        outcome: 'not_run',
        message: 'It was not checked whether the video shows a live person.',
        next_step: 'Wait for a reviewer to decide.',
        retryable: false,
      },
    ])
  })
})

test('names the zone, not the barcode, if neither was looked at', () => {
  const { reasons } = decide([], DEFAULT_POLICY)
  expect(reasons.map(({ check }) => check)).toContain('mrz_checks')
  expect(reasons.map(({ check }) => check)).not.toContain('barcode')
})
