import type { TextWord } from '../layout.ts'
import { type Interval, type Segment, type TextRow, toSegment } from './rows.ts'

/** A cell of a line. A cell that another one covers has no words. */
export interface LineCell {
  readonly words: readonly TextWord[]
  /** Columns that it covers. */
  readonly span: number
}

/** A row of a table, or one line of it. It has a cell for each column. */
export interface TableLine {
  readonly top: number
  readonly bottom: number
  readonly height: number
  readonly cells: readonly LineCell[]
}

/** Words this far apart, in heights of the print, may be in different columns. */
const CELL_GAP = 0.6
const EMPTY: LineCell = { words: [], span: 1 }

export const isFilled = ({ words }: LineCell): boolean => words.length > 0
export const countFilled = ({ cells }: TableLine): number => cells.filter(isFilled).length
export const cellAt = ({ cells }: TableLine, column: number): LineCell => cells[column] ?? EMPTY

/** Returns the columns that cells with text cover. */
export const coveredColumns = ({ cells }: Pick<TableLine, 'cells'>): number[] =>
  cells.flatMap((cell, column) =>
    isFilled(cell) ? Array.from({ length: cell.span }, (_, index) => column + index) : [],
  )

/** Puts cells at their columns. */
export function toCells(filled: ReadonlyMap<number, LineCell>, columns: number): LineCell[] {
  return Array.from({ length: columns }, (_, column) => filled.get(column) ?? EMPTY)
}

/** Says of rows which of their words are in which column. Gutters are from left to right. */
export function placeRows(rows: readonly TextRow[], gutters: readonly Interval[]): TableLine[] {
  const middles = gutters.map(({ left, right }) => (left + right) / 2)
  return rows.map(({ top, bottom, height, segments }) => {
    const filled = new Map<number, LineCell>()
    for (const segment of segments) {
      for (const { left, right, words } of splitSegment(segment, gutters, height)) {
        const column = middles.filter((middle) => middle <= left).length
        const span = middles.filter((middle) => middle > left && middle < right).length + 1
        const before = filled.get(column)
        filled.set(column, {
          words: [...(before?.words ?? []), ...words],
          span: Math.max(span, before?.span ?? 1),
        })
      }
    }
    return { top, bottom, height, cells: toCells(filled, gutters.length + 1) }
  })
}

/** Splits a segment at gaps that are in a gutter. */
function splitSegment({ words }: Segment, gutters: readonly Interval[], height: number): Segment[] {
  const groups: TextWord[][] = []
  let end = 0
  for (const word of words) {
    const group = groups.at(-1)
    const { x, width } = word.box
    const isGap = x - end > height * CELL_GAP && gutters.some(({ left, right }) => left < x && right > end)
    if (group === undefined || isGap) groups.push([word])
    else group.push(word)
    end = Math.max(end, x + width)
  }
  return groups.map(toSegment)
}

/**
 * Leaves out gutters beside which no row has two cells, if one of the columns has only headings: a heading that does not stand above its
 * values.
 */
export function mergeColumns(rows: readonly TextRow[], gutters: readonly Interval[]): Interval[] {
  const lines = placeRows(rows, gutters)
  const columns = Array.from(
    { length: gutters.length + 1 },
    (_, column) => new Set(lines.flatMap((line, index) => (isFilled(cellAt(line, column)) ? [index] : []))),
  )
  const kept: Interval[] = []
  let last = columns.at(-1) ?? new Set<number>()
  for (let index = gutters.length - 1; index >= 0; index--) {
    const column = columns[index] ?? new Set<number>()
    const gutter = gutters[index]
    const isOne =
      (hasHeadingsOnly(column) || hasHeadingsOnly(last)) && ![...column].some((line) => last.has(line))
    if (!isOne && gutter !== undefined) kept.push(gutter)
    last = isOne ? new Set([...column, ...last]) : column
  }
  return kept.toReversed()
}

const HEADINGS = { lines: 3, most: 2 }
const hasHeadingsOnly = (lines: ReadonlySet<number>): boolean =>
  lines.size <= HEADINGS.most && [...lines].every((line) => line < HEADINGS.lines)

export const joinLines = (one: TableLine, other: TableLine): TableLine => ({
  top: Math.min(one.top, other.top),
  bottom: Math.max(one.bottom, other.bottom),
  height: other.height,
  cells: one.cells.map(({ words, span }, column) => {
    const cell = cellAt(other, column)
    return { words: [...words, ...cell.words], span: Math.max(span, cell.span) }
  }),
})
