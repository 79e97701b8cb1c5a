import {
  CONDITION_NAMES,
  type ConditionName,
  type Ending,
  type MigrationErrorDifference,
  type MigrationVerdict,
} from '@vaani/contracts/migration'
import { isKnownNoise } from '../../rules/evidence/is-known-noise.ts'
import type { Condition } from '../../rules/evidence/judge-condition.ts'
import { boundDifference } from '../../rules/evidence/paired-difference.ts'
import type { Tally } from '../../rules/evidence/rate-bounds.ts'
import type { AllowedRates } from '../../rules/gate/allowed-rates.ts'
import { judgeMigration, LABELS } from '../../rules/gate/judge-migration.ts'
import type { CountRow } from './store.ts'

/** What keeps any pair from testing a condition, and what to do. */
export type Obstacles = Readonly<Partial<Record<ConditionName, string>>>

/** Probability that the bounds of the difference of errors ever miss it. */
const DIFFERENCE_ALPHA = 0.05
const FAILED: Ending = 'failed'

/** Judges counts of trials, events and endings. */
export function toVerdict(
  counts: readonly CountRow[],
  {
    allowed,
    obstacles,
    pairsPerDay,
  }: { allowed: AllowedRates; obstacles: Obstacles; pairsPerDay: number | null },
): MigrationVerdict {
  const conditionOf = (name: ConditionName): Condition => {
    const noise = tallyOf(counts, 'noise', name)
    const obstacle = obstacles[name]
    return {
      tally: tallyOf(counts, 'comparison', name),
      allowed: allowed[name],
      noise: isKnownNoise(noise, allowed[name]) ? noise : null,
      ...(obstacle !== undefined && { obstacle }),
    }
  }
  const entries = CONDITION_NAMES.map((name) => [name, conditionOf(name)] as const)
  // An object from entries has any key, for the compiler.
  const evidence = Object.fromEntries(entries) as Record<ConditionName, Condition>
  const { advice, because, conditions, missingPairs } = judgeMigration(evidence, pairsPerDay)
  return {
    advice,
    because,
    missing_pairs: missingPairs,
    pairs_per_day: pairsPerDay,
    conditions: CONDITION_NAMES.map((name) => {
      const { state, bounds, missingTrials } = conditions[name]
      const noise = tallyOf(counts, 'noise', name)
      return {
        name,
        label: LABELS[name],
        state,
        ...evidence[name].tally,
        allowed: allowed[name],
        ...bounds,
        noise: noise.trials === 0 ? null : noise,
        missing_trials: missingTrials,
      }
    }),
    error_difference: compareErrors(counts),
  }
}

function compareErrors(counts: readonly CountRow[]): MigrationErrorDifference | null {
  const rows = counts.filter(({ subject, kind }) => subject === 'endings' && kind === 'comparison')
  const countIf = (isCounted: (v1: string, v2: string) => boolean): number =>
    rows
      .filter(({ value, other_value }) => isCounted(value, other_value))
      .reduce((total, { pairs }) => total + pairs, 0)
  const trials = countIf(() => true)
  if (trials === 0) return null
  const onlyPrimary = countIf((v1, v2) => v1 === FAILED && v2 !== FAILED)
  const onlyCandidate = countIf((v1, v2) => v1 !== FAILED && v2 === FAILED)
  return {
    pairs: trials,
    only_v1: onlyPrimary,
    only_v2: onlyCandidate,
    value: (onlyCandidate - onlyPrimary) / trials,
    ...boundDifference({ onlyCandidate, onlyPrimary, trials }, DIFFERENCE_ALPHA),
  }
}

function tallyOf(counts: readonly CountRow[], kind: CountRow['kind'], condition: ConditionName): Tally {
  const sum = (subject: CountRow['subject']): number =>
    counts
      .filter((row) => row.subject === subject && row.kind === kind && row.value === condition)
      .reduce((total, { pairs }) => total + pairs, 0)
  return { events: sum('event'), trials: sum('trial') }
}
