import type { Ending, MigrationReport } from '@vaani/contracts/migration'
import { ENDINGS } from './vocabulary.ts'

/** How often one ending of v1 met one of v2. */
export interface DecisionCell {
  readonly v2: Ending
  readonly pairs: number
  readonly isSame: boolean
  /** How deep it is coloured, by its share of all pairs: 0 is the deepest. Null without a pair. */
  readonly depth: number | null
}

export interface DecisionMatrix {
  readonly total: number
  readonly rows: readonly { readonly v1: Ending; readonly cells: readonly DecisionCell[] }[]
}

/** The least share of each depth. */
const DEPTHS = [0.5, 0.1, 0.01, 0]

/** Lays the endings out: of v1 in rows, of v2 in columns. */
export function layOutDecisions(confusion: MigrationReport['confusion']): DecisionMatrix {
  const total = confusion.reduce((sum, { pairs }) => sum + pairs, 0)
  const counts = new Map(confusion.map(({ v1, v2, pairs }) => [`${v1} ${v2}`, pairs]))
  const cellOf = (v1: Ending, v2: Ending): DecisionCell => {
    const pairs = counts.get(`${v1} ${v2}`) ?? 0
    const depth = pairs === 0 ? null : DEPTHS.findIndex((least) => pairs / total >= least)
    return { v2, pairs, isSame: v1 === v2, depth }
  }
  return { total, rows: ENDINGS.map((v1) => ({ v1, cells: ENDINGS.map((v2) => cellOf(v1, v2)) })) }
}
