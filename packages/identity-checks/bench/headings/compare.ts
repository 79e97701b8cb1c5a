import { editDistance } from '../../src/ocr/edit-distance.ts'
import { lettersOf, type TrueHeading } from './read-truth.ts'

export interface FoundHeading {
  readonly text: string
  readonly level: number
}

/** Share of letters that may differ: some are misread, and some texts break off. */
const DIFFERENT = 0.15
/** A number before a heading may be missing in an outline. */
const NUMBER =
  /^\s*(?:(?:chapter|section|appendix|part|kapitel|hoofdstuk)\s+)?(?:[\divxlc]+|[a-z])(?:[.)][\da-z]*)*[.)]?\s+(?=\S)/iu

/** A true heading, and the one that was found in its place. */
export interface Pair {
  readonly true: TrueHeading
  readonly found: FoundHeading
}

/** Pairs each true heading of a page with the found one that has its text. */
export function pair(truth: readonly TrueHeading[], found: readonly FoundHeading[]): Pair[] {
  const open = [...found]
  return truth.flatMap((heading) => {
    const at = open.findIndex((other) => isSame(heading.text, other.text))
    if (at === -1) return []
    return open.splice(at, 1).map((other) => ({ true: heading, found: other }))
  })
}

const isSame = (one: string, other: string): boolean =>
  isClose(lettersOf(one), lettersOf(other)) ||
  isClose(lettersOf(one.replace(NUMBER, '')), lettersOf(other.replace(NUMBER, '')))

const isClose = (one: string, other: string): boolean =>
  one !== '' && editDistance(one, other) <= DIFFERENT * Math.max(one.length, other.length)

/** Whether a heading is among those that a document names, with or without its number. */
export const isNamed = ({ text }: FoundHeading, named: ReadonlySet<string>): boolean =>
  named.has(lettersOf(text)) || named.has(lettersOf(text.replace(NUMBER, '')))

/** Counts the pairs of headings of two levels whose found levels have the right order, are the same, or have the wrong order. */
export function countOrder(pairs: readonly Pair[]): { right: number; same: number; wrong: number } {
  const count = { right: 0, same: 0, wrong: 0 }
  for (const one of pairs)
    for (const other of pairs) {
      if (one.true.level >= other.true.level) continue
      if (one.found.level < other.found.level) count.right++
      else if (one.found.level === other.found.level) count.same++
      else count.wrong++
    }
  return count
}
