import type { Ending, Pair, Severity } from '@vaani/contracts/migration'
import { SEVERITIES } from './vocabulary.ts'

/** Mismatches of one class: as bad as each other, with the same two endings. */
export interface MismatchGroup {
  readonly severity: Severity | null
  readonly v1: Ending | null
  readonly v2: Ending | null
  readonly pairs: readonly Pair[]
}

/** Groups mismatches by their class: the worst first, then those with the most pairs. */
export function groupMismatches(pairs: readonly Pair[]): MismatchGroup[] {
  const groups = Map.groupBy(pairs, ({ severity, v1, v2 }) => [severity, v1.ending, v2.ending].join())
  return [...groups.values()]
    .flatMap((members): MismatchGroup[] => {
      const [first] = members
      if (first === undefined) return []
      return [{ severity: first.severity, v1: first.v1.ending, v2: first.v2.ending, pairs: members }]
    })
    .toSorted((one, other) => rankOf(other) - rankOf(one) || other.pairs.length - one.pairs.length)
}

const rankOf = ({ severity }: MismatchGroup): number =>
  severity === null ? -1 : SEVERITIES.indexOf(severity)
