import { endingCases } from './ending-cases.ts'
import { playingCases } from './playing-cases.ts'
import { refusalCases } from './refusal-cases.ts'
import type { ConformanceCase } from './carrier-subject.ts'

export type { CarrierSubject, ConformanceCase } from './carrier-subject.ts'

/**
 * Guarantees of every carrier, as cases for any test runner. Run each case with a new carrier.
 *
 * @example
 * for (const { name, needs, run } of carrierConformance) {
 *   test.skipIf(needs && !numbers[needs])(name, async () => run(await makeSubject()))
 * }
 */
export const carrierConformance: readonly ConformanceCase[] = [
  ...playingCases,
  ...endingCases,
  ...refusalCases,
]
