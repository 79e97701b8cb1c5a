import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest end-to-end tests. Starting them first keeps all workers busy until the end. */
const LONGEST = [
  'identity',
  'gateway-conformance',
  'testing',
  'contract-walk',
  'webhook-cost',
  'fuzz',
  'crash',
  'early-answers',
  'operator-keys',
  'traces',
  'stop',
  'refusals',
  'identity-shares',
].map((name) => `/${name}.e2e.ts`)

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((end) => moduleId.endsWith(end))
  return rank === -1 ? LONGEST.length : rank
}

/** Vitest knows the durations of files only from earlier runs, which CI never has. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
