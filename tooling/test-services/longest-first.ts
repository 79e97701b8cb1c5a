import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest end-to-end tests. Starting them first keeps all workers busy until the end. */
const LONGEST = [
  'identity-engines',
  'identity',
  'no-scans',
  'reuse',
  'identity-templates',
  'embedded',
  'documents',
  'ocr',
  'refusals',
  'without-a-key',
  'contract-walk',
  'own-database',
  'fuzz',
  'reseal',
  'third-party-client',
  'testing',
  'gateway',
  'gateway-conformance',
  'cli',
  'early-answers',
  'crash',
  'traces',
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
