import { describe, expect, test } from 'vitest'
import { CHECK_OUTCOMES, type CheckName, type CheckResult } from '../check.ts'
import { MODEL_NAME } from './model-name.ts'

export interface CheckConformanceOptions {
  name: string
  check: CheckName
  /** Runs the check on what it passes, and on what it does not. */
  good(): Promise<CheckResult>
  bad(): Promise<CheckResult>
  /** The outcomes that may come of the bad one. */
  badOutcomes: readonly CheckResult['outcome'][]
}

/** Tests of any check: what its results hold, that it passes what is good, and that it says the same twice. */
export function runCheckConformance(options: CheckConformanceOptions): void {
  describe(`${options.name} as a check`, () => {
    test('gives results that can be stored and shown', { timeout: 60_000 }, async () => {
      for (const result of [await options.good(), await options.bad()]) {
        expect(result.check).toBe(options.check)
        expect(CHECK_OUTCOMES).toContain(result.outcome)
        expect(result.code).toMatch(/^[a-z][a-z0-9_]*$/)
        // What ran says by what it measured; what did not, claims nothing.
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

    test('passes what is good, and not what is bad', { timeout: 60_000 }, async () => {
      expect((await options.good()).outcome).toBe('passed')
      expect(options.badOutcomes).toContain((await options.bad()).outcome)
    })

    test('says the same twice', { timeout: 60_000 }, async () => {
      expect(await options.good()).toEqual(await options.good())
    })
  })
}
