import type { TextBox } from '../layout.ts'
import {
  cellAt,
  countFilled,
  coveredColumns,
  isFilled,
  type LineCell,
  type TableLine,
  toCells,
} from './lines.ts'
import type { Interval } from './rows.ts'

/** Lines that may have headings of several columns. */
const HEADING_LINES = 5
/** How far such a heading is from the middle of its columns, in heights of the print. */
const OFF_CENTRE = 0.8
/** Columns that it has on either side of it at most, to bound the time. */
const REACH = 12
/** Columns with headings of their own beside those of several columns. */
const OUTSIDE = 2

/** Widens headings that stand over the middle of several columns, each of which has a heading of its own below. */
export function spreadHeadings(lines: readonly TableLine[]): TableLine[] {
  const extents = extentsOf(lines.slice(1))
  return lines.map((line, index) => {
    const below = lines[index + 1]
    if (index >= HEADING_LINES || below === undefined || countFilled(below) <= countFilled(line)) return line
    return spread(line, below, extents)
  })
}

function spread(line: TableLine, below: TableLine, extents: readonly Interval[]): TableLine {
  const columns = line.cells.length
  const wide = new Map<number, LineCell>()
  let from = 0
  for (const [column, cell] of line.cells.entries()) {
    if (!isFilled(cell)) continue
    const next = line.cells.findIndex((other, index) => index > column && isFilled(other))
    const free = { first: from, last: (next === -1 ? columns : next) - 1 }
    const { first, last } = widest({ cell, column, free, line, below, extents })
    wide.set(first, { words: cell.words, span: last - first + 1 })
    from = last + 1
  }
  const cells = toCells(wide, columns)
  const covered = coveredColumns({ cells })
  const [least, most] = [Math.min(...covered), Math.max(...covered)]
  const outside = coveredColumns(below).filter((column) => !covered.includes(column))
  const isWhole = outside.length <= OUTSIDE && outside.every((column) => column < least || column > most)
  return isWhole ? { ...line, cells } : line
}

interface Columns {
  readonly first: number
  readonly last: number
}

/** Finds the most columns, among those that are free and filled below, over whose middle a heading stands. */
function widest(options: {
  cell: LineCell
  column: number
  free: Columns
  line: TableLine
  below: TableLine
  extents: readonly Interval[]
}): Columns {
  const { cell, column, free, line, below, extents } = options
  const { left, right } = extentOf(cell.words.map(({ box }) => box))
  let best = { first: column, last: column + cell.span - 1 }
  const isOver = (first: number, last: number) => {
    const middle = ((extents[first]?.left ?? 0) + (extents[last]?.right ?? 0)) / 2
    return Math.abs(middle - (left + right) / 2) < line.height * OFF_CENTRE
  }
  for (let first = column; first >= free.first && column - first <= REACH; first--) {
    if (!isFilled(cellAt(below, first))) break
    for (let last = column; last <= free.last && last - column <= REACH; last++) {
      if (!isFilled(cellAt(below, last))) break
      if (last - first > best.last - best.first && isOver(first, last)) best = { first, last }
    }
  }
  return best
}

/** Returns from where to where the cells of each column reach. */
function extentsOf(lines: readonly TableLine[]): Interval[] {
  const boxes: TextBox[][] = []
  for (const line of lines) {
    if (countFilled(line) < 2) continue
    for (const [column, { words, span }] of line.cells.entries())
      if (span === 1) (boxes[column] ??= []).push(...words.map(({ box }) => box))
  }
  return Array.from(boxes, (column) => extentOf(column ?? []))
}

const extentOf = (boxes: readonly TextBox[]): Interval => ({
  left: boxes.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY),
  right: boxes.reduce((most, { x, width }) => Math.max(most, x + width), 0),
})
