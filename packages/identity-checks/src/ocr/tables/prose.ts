import { narrow } from './gutters.ts'
import { cutRows, type Interval, type Segment, type TextRow } from './rows.ts'

/**
 * Lines of running text have so many words, and are nearly as wide as the widest line of their column. So many of them stand on both sides of
 * a gutter, and are this share of the lines on one side.
 */
const PROSE = {
  words: 5,
  width: 0.8,
  lines: 4,
  share: 0.6,
}
/** Lines of running text are this close, in heights of the print. */
const LINE_GAP = 2.5

/** A part of a page with columns of running text, cut between two of them. */
export interface CutPage {
  readonly above: TextRow[]
  readonly left: TextRow[]
  readonly right: TextRow[]
  readonly below: TextRow[]
}

/** Cuts a page between columns of running text, which may have tables in them; undefined if there are none. */
export function cutColumns(rows: readonly TextRow[]): CutPage | undefined {
  for (let start = 0; start < rows.length; start++) {
    const row = rows[start]
    const gutter = row === undefined ? undefined : betweenProse(row)
    if (gutter === undefined) continue
    const area = followGutter(rows, start, gutter)
    const left = cutRows(area.rows, { left: Number.NEGATIVE_INFINITY, right: area.middle })
    const right = cutRows(area.rows, { left: area.middle, right: Number.POSITIVE_INFINITY })
    const shares = [
      shareOfProse(left, ({ segments }) => segments.at(-1)),
      shareOfProse(right, ({ segments }) => segments[0]),
    ]
    if (Math.min(...shares) > 0 && Math.max(...shares) >= PROSE.share)
      return { above: rows.slice(0, area.first), left, right, below: rows.slice(area.end) }
    start = area.end - 1
  }
  return undefined
}

const isLong = (segment: Segment | undefined): boolean => (segment?.words.length ?? 0) >= PROSE.words

function betweenProse({ segments }: TextRow): Interval | undefined {
  const index = segments.findIndex((segment, at) => isLong(segment) && isLong(segments[at + 1]))
  const [left, right] = segments.slice(index, index + 2)
  return index === -1 || left === undefined || right === undefined
    ? undefined
    : { left: left.right, right: right.left }
}

/** Finds the rows around one that leave a gutter free. `end` is the row after the last. */
function followGutter(
  rows: readonly TextRow[],
  start: number,
  gutter: Interval,
): { rows: readonly TextRow[]; first: number; end: number; middle: number } {
  let free = gutter
  function follow(step: number): number {
    let at = start
    for (;;) {
      const [row, next] = [rows[at], rows[at + step]]
      if (row === undefined || next === undefined) return at
      const gap = step > 0 ? next.top - row.bottom : row.top - next.bottom
      const [left, ...others] = narrow([free], next).gutters
      if (gap > LINE_GAP * next.height || left === undefined || others.length > 0) return at
      free = left
      at += step
    }
  }
  const first = follow(-1)
  const end = follow(1) + 1
  return { rows: rows.slice(first, end), first, end, middle: (free.left + free.right) / 2 }
}

/** Returns the share of rows whose segment beside the gutter is running text; 0 if they are few. */
function shareOfProse(rows: readonly TextRow[], besideGutter: (row: TextRow) => Segment | undefined): number {
  const widths = rows
    .map(besideGutter)
    .flatMap((segment) => (segment !== undefined && isLong(segment) ? [segment.right - segment.left] : []))
  const widest = widths.reduce((most, width) => Math.max(most, width), 0)
  const full = widths.filter((width) => width > widest * PROSE.width).length
  return full < PROSE.lines ? 0 : full / rows.length
}
