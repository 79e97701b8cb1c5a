import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest end-to-end tests and the longest heavy one. Starting them first keeps all workers busy until the end. */
const LONGEST = [
  'identity-engines.e2e',
  'no-scans.e2e',
  'console-lists.e2e',
  'refusals.e2e',
  'console-reviews.e2e',
  'identity.e2e',
  'console-people.e2e',
  'ocr.e2e',
  'console-pages.e2e',
  'documents.e2e',
  'console-speech.e2e',
  'embedded.e2e',
  'console-playground.e2e',
  'voices.e2e',
  'console-requests.e2e',
  'reseal.e2e',
  'cli.e2e',
  'batches.e2e',
  'testing.e2e',
  'gateway.e2e',
  'report-page.e2e',
  'contract-walk.e2e',
  'storage.e2e',
  'watermark.e2e',
  'synthesis.e2e',
  'reuse.e2e',
  'operator-keys.e2e',
  'early-answers.e2e',
  'traces.e2e',
  'crash.e2e',
  'own-database.e2e',
  'try-reference.e2e',
  'pairs.e2e',
  'runtimes.e2e',
  'check-runner.test',
].map((name) => `/${name}.ts`)

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
