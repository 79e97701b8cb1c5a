import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The end-to-end tests that take longest. A run that begins with them does not end with one worker idle. */
const LONGEST = [
  'webhook-faults',
  'identity',
  'fuzz',
  'crash',
  'disk-full',
  'embedded-server',
  'database-away',
  'early-answers',
  'operator-keys',
  'traces',
  'parents',
  'embedded-lost',
  'stop',
  'refusals',
  'media-in-the-clear',
  'identity-crash',
  'identity-shares',
].map((name) => `/${name}.e2e.ts`)

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((end) => moduleId.endsWith(end))
  return rank === -1 ? LONGEST.length : rank
}

/** Vitest knows how long files take only where they ran before, which is never so in CI. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
