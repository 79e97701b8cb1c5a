import { distanceWithin } from '../ocr/edit-distance.ts'
import { boxAround, type TextBlock, type TextBox, type TextWord } from '../ocr/layout.ts'
import { findLabels, type FoundLabel } from './find-labels.ts'
import { readValue } from './read-value.ts'
import { bottom, boxOf, isAlike, isMark, lettersOf, right, type Row, rowsOf, toleranceOf } from './rows.ts'
import { fieldsOf, type TemplateField, type TemplateFieldName, type TemplateSide } from './template.ts'

/** What became of a field. `text` is what was read, so it may be personal data, and it may be wrong. */
export interface FieldReading {
  readonly field: TemplateFieldName
  readonly required: boolean
  /** How many times its label is on the side; its value is read only if it is there once. */
  readonly labels: number
  readonly text: string
  /** Of its words, in the pixels of the upright page; null without any. */
  readonly box: TextBox | null
  /** Of the least certain word of the value; 0 without one. */
  readonly confidence: number
  /** Null unless the text is such a value. It is certain only if the confidence is. */
  readonly value: string | null
}

/** Widest gaps within a value, in heights of its label. */
const GAP = { right: 3, below: 1.5 }
/** A value is at most so many heights below its label. */
const BELOW = 2.5

/** Reads the fields of a side. Returns null unless its headings are on the page. */
export function readSide(blocks: readonly TextBlock[], side: TemplateSide): FieldReading[] | null {
  const rows = rowsOf(blocks)
  const lines = rows.map((row) => lettersOf(row.map(({ text }) => text).join('')))
  const isOnPage = (text: string) => {
    const letters = lettersOf(text)
    return lines.some((line) => distanceWithin(letters, line) <= toleranceOf(letters))
  }
  if (!side.headings.every((texts) => texts.some(isOnPage))) return null
  const labels = rows.map((row) => findLabels(row, side))
  return fieldsOf(side).map(({ name, field }) => readField({ name, field, rows, labels }))
}

/** The words of a value. */
interface FoundWords {
  readonly words: readonly TextWord[]
  /** Whether words that may belong to them were left out, after a gap or on the next row. */
  readonly isCut: boolean
}
const NOTHING: FoundWords = { words: [], isCut: false }

interface LabelledRows {
  readonly rows: readonly Row[]
  /** Those of each row. */
  readonly labels: readonly (readonly FoundLabel[])[]
}

function readField(page: LabelledRows & { name: TemplateFieldName; field: TemplateField }): FieldReading {
  const { name, field, rows, labels } = page
  const found = labels.flatMap((ofRow, row) =>
    ofRow.filter((label) => label.field === name).map((label) => ({ row, label })),
  )
  const [only] = found
  const { words, isCut } =
    only === undefined || found.length > 1
      ? NOTHING
      : field.place === 'right'
        ? wordsRightOf(only.label, rows[only.row] ?? [], labels[only.row] ?? [])
        : wordsBelow(only.label, page)
  return {
    field: name,
    required: field.required,
    labels: found.length,
    text: words.map(({ text }) => text).join(' '),
    box: words.length === 0 ? null : boxAround(words.map(({ box }) => box)),
    confidence: leastOf(words.filter((word) => !isMark(word) && !isBetween(word, field))),
    // A pattern or a calendar rejects half of any other value, but half a name is a name.
    value: isCut && field.kind === 'name' ? null : readValue(words, field),
  }
}

function wordsRightOf(label: FoundLabel, row: Row, labels: readonly FoundLabel[]): FoundWords {
  const next = labels.find(({ start }) => start >= label.end)
  const { words, left } = withoutGap(row.slice(label.end, next?.start), label.box.height * GAP.right)
  return { words, isCut: left.length > 0 }
}

function wordsBelow(label: FoundLabel, { rows, labels }: LabelledRows): FoundWords {
  const { box } = label
  const gap = box.height * GAP.below
  const isUnder = ({ box: word }: TextWord) =>
    word.x < right(box) && right(word) > box.x && word.y > box.y + box.height / 2
  const isLabel = ({ index, start }: { index: number; start: number }) =>
    (labels[index] ?? []).some((label) => label.start <= start && start < label.end)
  /** Whether a word is part of a label, or of what stands beside one. */
  const isOfLabel = (word: { row: Row; index: number; start: number }) => {
    const nearest = labels[word.index]?.findLast(({ start }) => start <= word.start)
    if (nearest === undefined) return false
    const { words: beside } = withoutGap(word.row.slice(nearest.end), nearest.box.height * GAP.right)
    return word.start < nearest.end || beside.some((one) => one === word.row[word.start])
  }
  const [below, following] = rows
    .map((row, index) => ({ row, index, start: row.findIndex(isUnder) }))
    .filter(({ row, start }) => start !== -1 && (row[start]?.box.y ?? 0) < bottom(box) + box.height * BELOW)
    .toSorted((a, b) => boxOf(a.row).y - boxOf(b.row).y)
  if (below === undefined || isLabel(below)) return NOTHING
  const { row, index, start } = below
  const [first, before] = [row[start], row[start - 1]]
  // Part of something that begins before the label.
  if (before !== undefined && first !== undefined && first.box.x - right(before.box) <= gap) return NOTHING
  const next = labels[index]?.find((label) => label.start > start)
  const { words, left } = withoutGap(row.slice(start, next?.start), gap)
  // What is under the next label is its value.
  const column = labels.find((ofRow) => ofRow.includes(label))?.find(({ start: at }) => at >= label.end)
  const isCut = left.some(({ box: word }) => column === undefined || right(word) <= column.box.x)
  return { words, isCut: isCut || (following !== undefined && !isOfLabel(following)) }
}

/** A word that is printed within dates need not be certain: it is known. */
const isBetween = ({ text }: TextWord, field: TemplateField): boolean =>
  field.kind === 'date' && field.words.some((word) => isAlike(lettersOf(text), lettersOf(word)))
const leastOf = (words: readonly TextWord[]): number =>
  words.length === 0 ? 0 : Math.min(...words.map(({ confidence }) => confidence))

/** Splits words at the first gap, without the marks around them. */
function withoutGap(words: readonly TextWord[], widest: number): { words: TextWord[]; left: TextWord[] } {
  const first = words.findIndex((word) => !isMark(word))
  const value = first === -1 ? [] : words.slice(first)
  const end = value.findIndex((word, index) => {
    const before = value[index - 1]
    return before !== undefined && word.box.x - right(before.box) > widest
  })
  const whole = end === -1 ? value : value.slice(0, end)
  return {
    words: whole.slice(0, whole.findLastIndex((word) => !isMark(word)) + 1),
    left: value.slice(whole.length).filter((word) => !isMark(word)),
  }
}
