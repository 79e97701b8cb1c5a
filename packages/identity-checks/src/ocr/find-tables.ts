import { boxAround, type PageTable, type TableCell, type TextBlock } from './layout.ts'
import { findGutters } from './tables/gutters.ts'
import { joinWrapped } from './tables/join-lines.ts'
import { cellAt, countFilled, isFilled, mergeColumns, placeRows, type TableLine } from './tables/lines.ts'
import { isValue } from './tables/numbers.ts'
import { cutColumns } from './tables/prose.ts'
import { type TextRow, toRows } from './tables/rows.ts'
import { findRun, splitRun } from './tables/runs.ts'
import { spreadHeadings } from './tables/spread-headings.ts'

/** More columns are none of a table. This bounds the time that hostile text takes. */
const MAX_COLUMNS = 100
/** Cells of all tables of a page. Further tables are left out, so that empty cells do not multiply the text of a page. */
const MAX_CELLS = 10_000
/** How often a page is divided between columns of running text. */
const MAX_DEPTH = 8
/** Fewer rows with several cells are no table, except of so many columns, if most cells are values and few are empty. */
const LEAST = { rows: 3, columns: 4, filled: 0.8, values: 0.5 }
/** Share of columns that have a cell in some share of the rows. The ticks of a chart do not stand in rows. */
const DENSE = { columns: 0.5, rows: 0.4 }
/** Of two columns, the second has mainly values, or it would be any list of terms, form or letter head. */
const VALUES_OF_TWO = 0.5
/** Share of cells that end with a colon. The labels of a form do. */
const LABELS = 0.3

/**
 * Finds tables by how their cells are aligned, with ruling lines or without. Words may be in any order.
 *
 * @returns tables from top to bottom, whose rows all have a cell for each column
 */
export function findTables(blocks: readonly Pick<TextBlock, 'lines'>[]): PageTable[] {
  const words = blocks
    .flatMap(({ lines }) => lines.flatMap((line) => line.words))
    .filter(({ text, box }) => text !== '' && box.width > 0 && box.height > 0)
  const rows = toRows(words).filter(({ segments }) => segments.length <= MAX_COLUMNS)
  const tables: PageTable[] = []
  let cells = 0
  for (const lines of searchRows(rows, 0).toSorted((one, other) => topOf(one) - topOf(other))) {
    cells += lines.length * (lines[0]?.cells.length ?? 0)
    if (cells > MAX_CELLS) break
    tables.push(toTable(lines))
  }
  return tables
}

const topOf = ([first]: readonly TableLine[]): number => first?.top ?? 0

function searchRows(rows: readonly TextRow[], depth: number): TableLine[][] {
  const cut = depth < MAX_DEPTH ? cutColumns(rows) : undefined
  if (cut !== undefined)
    return [cut.above, cut.left, cut.right, cut.below].flatMap((part) => searchRows(part, depth + 1))
  const tables: TableLine[][] = []
  const used = new Set<TextRow>()
  const starts = rows
    .map(({ segments }, index) => ({ index, count: segments.length }))
    .filter(({ count }) => count > 1)
    .toSorted((one, other) => other.count - one.count || one.index - other.index)
  for (const { index } of starts) {
    const start = rows[index]
    if (start === undefined || used.has(start)) continue
    const run = findRun(rows, index, used)
    for (const row of run.rows) used.add(row)
    for (const part of splitRun(run)) tables.push(...searchPart(part))
  }
  return tables
}

function searchPart(rows: readonly TextRow[]): TableLine[][] {
  const gutters = findGutters(rows)
  if (gutters.length === 0 || gutters.length >= MAX_COLUMNS) return []
  const lines = joinWrapped(placeRows(rows, mergeColumns(rows, gutters)))
  const table = trim(spreadHeadings(trim(lines)))
  return isTable(table) ? [table] : []
}

/** Leaves out lines before the first and after the last with several cells, apart from headings of several columns. */
function trim(lines: readonly TableLine[]): TableLine[] {
  const isWithin = (line: TableLine): boolean => countFilled(line) > 1
  const first = lines.findIndex(
    (line) => isWithin(line) || (!isFilled(cellAt(line, 0)) && line.cells.some(({ span }) => span > 1)),
  )
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isWithin) + 1)
}

function isTable(lines: readonly TableLine[]): boolean {
  const full = lines.filter((line) => countFilled(line) > 1)
  const columns = full[0]?.cells.length ?? 0
  const cells = full.flatMap((line) => line.cells.filter(isFilled))
  if (full.length < LEAST.rows) {
    const isSmallTable =
      full.length > 1 &&
      columns >= LEAST.columns &&
      cells.length >= columns * full.length * LEAST.filled &&
      cells.filter(({ words }) => isValue(words)).length > cells.length * LEAST.values
    if (!isSmallTable) return false
  }
  const dense = Array.from({ length: columns }, (_, column) =>
    full.filter((line) => isFilled(cellAt(line, column))),
  ).filter((filled) => filled.length >= full.length * DENSE.rows)
  if (dense.length < Math.max(2, columns * DENSE.columns)) return false
  if (cells.filter(({ words }) => words.at(-1)?.text.endsWith(':')).length > cells.length * LABELS)
    return false
  const values = full.filter((line) => isValue(cellAt(line, 1).words))
  return columns > 2 || values.length >= full.length * VALUES_OF_TWO
}

function toTable(lines: readonly TableLine[]): PageTable {
  const boxes = lines.flatMap((line) => line.cells.flatMap(({ words }) => words.map(({ box }) => box)))
  return {
    box: boxAround(boxes),
    rows: lines.map((line) =>
      line.cells.map(({ words, span }): TableCell => ({
        text: words.map(({ text }) => text).join(' '),
        ...(words.length > 0 && { box: boxAround(words.map(({ box }) => box)) }),
        ...(span > 1 && { column_span: span }),
      })),
    ),
  }
}
