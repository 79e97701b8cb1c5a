import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName, type CheckOutcome, type CheckResult } from '../check.ts'
import { decide } from './decide.ts'
import { DEFAULT_POLICY, DOCUMENT_ONLY_POLICY, type Policy } from './policy.ts'

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
  declineOn: fc.subarray([...CHECK_NAMES]),
  reviewers: fc.constant(1),
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
