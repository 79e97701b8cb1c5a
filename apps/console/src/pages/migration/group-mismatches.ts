import type { Pair, PairSide } from '@vaani/client'

/** Mismatches that are as bad as each other, with the same two endings. */
export interface MismatchClass {
  readonly name: string
  readonly severity: Pair['severity']
  readonly v1: PairSide['ending']
  readonly v2: PairSide['ending']
  readonly pairs: readonly Pair[]
}

const WORST_FIRST: readonly Pair['severity'][] = ['worst', 'serious', 'mild', null]

/** Groups mismatches by class: the worst first, then those with the most pairs. */
export function groupMismatches(pairs: readonly Pair[]): MismatchClass[] {
  const groups = new Map<string, [Pair, ...Pair[]]>()
  for (const pair of pairs) {
    const name = `${pair.severity} ${pair.v1.ending} ${pair.v2.ending}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [pair])
    else group.push(pair)
  }
  return [...groups]
    .map(([name, members]) => {
      const [{ severity, v1, v2 }] = members
      return { name, severity, v1: v1.ending, v2: v2.ending, pairs: members }
    })
    .toSorted(
      (one, other) =>
        WORST_FIRST.indexOf(one.severity) - WORST_FIRST.indexOf(other.severity) ||
        other.pairs.length - one.pairs.length,
    )
}
