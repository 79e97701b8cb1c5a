import type { TextBox } from '../ocr/layout.ts'
import { editDistance } from '../ocr/edit-distance.ts'
import { boxOf, isMark, lettersOf, right, type Row, toleranceOf } from './rows.ts'
import { fieldsOf, type TemplateFieldName, type TemplateSide } from './template.ts'

/** A label on a page. */
export interface FoundLabel {
  /** Null for a label whose value is not wanted. */
  readonly field: TemplateFieldName | null
  /** Its first word, and the one after its last, in its row. */
  readonly start: number
  readonly end: number
  readonly box: TextBox
}

/** A longer label is more, and one with fewer errors: the heading `Licence` is not the label `Licence No.`. */
const scoreOf = ({ length, distance }: { length: number; distance: number }): number => length - 2 * distance

interface Label {
  readonly field: TemplateFieldName | null
  readonly letters: string
}

/** A label has a gap before it that is wider than this share of its height. Otherwise it is a part of something longer. */
const GAP = 0.9

const labelsOf = (side: TemplateSide): Label[] =>
  [
    ...fieldsOf(side).flatMap(({ name, field }) => field.labels.map((text) => ({ field: name, text }))),
    ...[...side.other_labels, ...side.headings.flat()].map((text) => ({ field: null, text })),
  ].map(({ field, text }) => ({ field, letters: lettersOf(text) }))

/**
 * Finds the labels of a row. Of two that overlap, the longer is one, so that `Name` is not found in `Name of the father`, if a
 * template has both.
 */
export function findLabels(row: Row, side: TemplateSide): FoundLabel[] {
  const found = labelsOf(side)
    .flatMap(({ field, letters }) =>
      row.flatMap((_, start) => {
        const best = bestEnd(row, start, letters)
        return best === null ? [] : [{ field, start, ...best, length: letters.length }]
      }),
    )
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
  const taken: FoundLabel[] = []
  for (const { field, start, end } of found)
    if (taken.every((other) => end <= other.start || start >= other.end))
      taken.push({ field, start, end, box: boxOf(row.slice(start, end)) })
  return taken.filter((label) => isApart(row, label, taken)).toSorted((a, b) => a.start - b.start)
}

/** Finds the words from a place on that are most like a label. */
function bestEnd(row: Row, start: number, letters: string): { end: number; distance: number } | null {
  let best: { end: number; distance: number } | null = null
  let joined = ''
  for (let end = start + 1; end <= row.length; end++) {
    const more = lettersOf(row[end - 1]?.text ?? '')
    // A label neither begins nor ends with a mark.
    if (more === '' && end === start + 1) return null
    if (more === '') continue
    joined += more
    if (joined.length > letters.length + toleranceOf(letters)) break
    const distance = editDistance(joined, letters)
    if (distance <= toleranceOf(letters) && (best === null || distance < best.distance))
      best = { end, distance }
  }
  return best
}

function isApart(row: Row, { start, box }: FoundLabel, labels: readonly FoundLabel[]): boolean {
  const before = row[start - 1]
  return (
    before === undefined ||
    isMark(before) ||
    labels.some(({ end }) => end === start) ||
    box.x - right(before.box) > box.height * GAP
  )
}
