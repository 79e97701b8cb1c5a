import { describe, expect, test } from 'vitest'
import { CHECK_OUTCOMES, type CheckName, type CheckResult } from '../check.ts'
import { MODEL_NAME } from '../engine/model-name.ts'

export interface CheckConformanceOptions {
  name: string
  check: CheckName
  /** Runs the check on input that it passes, and on input that it does not. */
  good(): Promise<CheckResult>
  bad(): Promise<CheckResult>
  /** Allowed outcomes of `bad`. */
  badOutcomes: readonly CheckResult['outcome'][]
}

/** Tests any check: the content of its results, the outcomes of good and bad input, and determinism. */
export function runCheckConformance(options: CheckConformanceOptions): void {
  describe(`${options.name} as a check`, () => {
    let results: Promise<readonly [good: CheckResult, bad: CheckResult]> | undefined
    /** Runs both once, because a check may take seconds. */
    const runBoth = () => (results ??= Promise.all([options.good(), options.bad()]))

    test('returns results that can be stored and shown', { timeout: 60_000 }, async () => {
      for (const result of await runBoth()) {
        expect(result.check).toBe(options.check)
        expect(CHECK_OUTCOMES).toContain(result.outcome)
        expect(result.code).toMatch(/^[a-z][a-z0-9_]*$/)
        // A check that ran names its model; one that did not run has no score.
        if (result.outcome === 'not_run') expect(result.score).toBeNull()
        else {
          expect(result.model).toMatch(MODEL_NAME)
          expect(result.score ?? 0).toBeGreaterThanOrEqual(0)
          expect(result.score ?? 0).toBeLessThanOrEqual(1)
        }
        for (const value of Object.values(result.evidence)) expect(value).not.toBeNaN()
        expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      }
    })

    test('passes good input but not bad input', { timeout: 60_000 }, async () => {
      const [good, bad] = await runBoth()
      expect(good.outcome).toBe('passed')
      expect(options.badOutcomes).toContain(bad.outcome)
    })

    test('returns the same result twice', { timeout: 60_000 }, async () => {
      const [good] = await runBoth()
      expect(await options.good()).toEqual(good)
    })
  })
}
