import type {
  ChangeKind,
  MigrationChange,
  MigrationCondition,
  Severity,
  Stage,
} from '@vaani/contracts/migration'
import { describeCount, describeRate } from '../gate/describe.ts'

const MISMATCHES: Readonly<Record<Severity, string>> = {
  worst: 'one version approved what the other declined or refused',
  serious: 'one version decided what the other left to a review',
  mild: 'one version declined what the other refused or left to a review',
}

/** Describes mismatches of a group in one sentence. */
export const summarizeMismatches = (one: {
  severity: Severity
  stage: Stage
  pairs: number
  pairId: string
}): string =>
  `${describeCount(one.pairs, `${one.severity} mismatch`, `${one.severity} mismatches`)} at ${one.stage}: ${MISMATCHES[one.severity]}. See ${one.pairId}.`

export const summarizeCondition = (stage: Stage, condition: MigrationCondition): string =>
  `The evidence at ${stage} is against the candidate. ${describeRate(condition)}`

const DEEDS: Readonly<Record<ChangeKind, (change: MigrationChange) => string>> = {
  stage: ({ from_stage, to_stage }) => `changed the stage from ${from_stage} to ${to_stage}`,
  rollback: ({ from_stage, to_stage }) => `rolled back from ${from_stage} to ${to_stage}`,
  kill_switch: ({ kill_switch }) =>
    kill_switch === true ? 'stopped all shadow traffic' : 'allowed shadow traffic again',
  evidence_restart: () => 'started new evidence',
}

/** Describes a change in one sentence, and quotes the reason that its author gave. */
export function summarizeChange(change: MigrationChange): string {
  const against = change.forced ? ', against the advice' : ''
  return `${change.actor} ${DEEDS[change.kind](change)}${against}: ${change.reason}`
}
