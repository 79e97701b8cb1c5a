import type { MigrationVerdict, Stage } from '@vaani/contracts/migration'

const DONE = { advice: 'done', because: 'Done. v2 answers, and nothing is compared any more.' } as const

/** Returns what a verdict advises at a stage: the last has nothing to promote to. */
export const adviseAt = (stage: Stage, verdict: MigrationVerdict): MigrationVerdict =>
  stage === 'complete' && verdict.advice !== 'roll_back' ? { ...verdict, ...DONE } : verdict
