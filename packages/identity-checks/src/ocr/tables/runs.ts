import { findGutters, gapsWithin, haveSameColumns, narrow } from './gutters.ts'
import { isNumber } from './numbers.ts'
import type { Interval, TextRow } from './rows.ts'

/** Rows of a table are this close, in heights of the print: with several segments each, and otherwise. */
const ROW_GAP = { cells: 5, lines: 2.5 }
/** Share of its gutters that a row may cross with several segments. */
const CROSSED = 0.34
/** Rows that may come before one that fits: any, and such as cross the gutters. */
const WAITING = { rows: 6, crossing: 2 }
/** Lines that go on below a row, and headings above one, are this close. */
const CLOSE = { below: 0.8, above: 0.9 }
/** Rows of a part that are looked at, to bound the time. */
const SAMPLE = 30

/** Rows that follow each other and have gutters in common. */
interface Run {
  readonly rows: readonly TextRow[]
  /** Those of them that cross the gutters, such as titles. */
  readonly crossing: ReadonlySet<TextRow>
}

interface Growth {
  gutters: Interval[]
  readonly taken: TextRow[]
  /** Rows after the last that was taken, the nearest first. */
  readonly waiting: TextRow[]
  readonly crossing: Set<TextRow>
}

/** Finds the rows around one that have its gutters, as far as other rows are not used yet. */
export function findRun(rows: readonly TextRow[], start: number, used: ReadonlySet<TextRow>): Run {
  const row = rows[start]
  if (row === undefined) return { rows: [], crossing: new Set() }
  const growth: Growth = { gutters: gapsWithin(row), taken: [row], waiting: [], crossing: new Set() }
  grow(growth, row, { next: (step) => rows[start + step], used, isUpward: false })
  takeWrapped(growth)
  grow(growth, row, { next: (step) => rows[start - step], used, isUpward: true })
  takeHeadings(growth)
  const { taken, crossing } = growth
  return { rows: taken.toSorted((one, other) => one.top + one.bottom - other.top - other.bottom), crossing }
}

function grow(
  growth: Growth,
  start: TextRow,
  options: {
    next: (step: number) => TextRow | undefined
    used: ReadonlySet<TextRow>
    isUpward: boolean
  },
): void {
  const { next, used, isUpward } = options
  const { waiting, taken, crossing } = growth
  waiting.length = 0
  let last = start
  for (let step = 1; waiting.length <= WAITING.rows; step++) {
    const row = next(step)
    if (row === undefined || used.has(row)) return
    const gap = isUpward ? last.top - row.bottom : row.top - last.bottom
    const several = Math.min(row.segments.length, last.segments.length) > 1
    if (gap > ROW_GAP[several ? 'cells' : 'lines'] * Math.max(row.height, last.height)) return
    last = row
    const { gutters, crossed } = narrow(growth.gutters, row)
    const isAlone = row.segments.length === 1
    if (crossed > (isAlone ? 0 : growth.gutters.length * CROSSED)) {
      if (isAlone || crossed === growth.gutters.length) crossing.add(row)
      waiting.push(row)
      if (waiting.length > WAITING.crossing) return
    } else if (isAlone || (crossed > 0 && !isUpward)) waiting.push(row)
    else {
      if (crossed === 0) growth.gutters = gutters
      taken.push(...waiting.splice(0), row)
    }
  }
}

/** Takes the lines on which cells of the last row go on. */
function takeWrapped({ taken, waiting, gutters }: Growth): void {
  let last = taken.at(-1)
  for (const row of waiting) {
    const isClose = last !== undefined && row.top - last.bottom <= row.height * CLOSE.below
    if (!isClose || narrow(gutters, row).crossed > 0) return
    taken.push(row)
    last = row
  }
}

/** Takes the headings of several columns above the first row, which leave out the first column. */
function takeHeadings({ taken, waiting, gutters }: Growth): void {
  let below = taken.reduce<TextRow | undefined>(
    (first, row) => (first === undefined || row.top < first.top ? row : first),
    undefined,
  )
  const start = leftOf(gutters)
  for (const row of waiting) {
    const [segment, ...others] = row.segments
    const isClose = below !== undefined && below.top - row.bottom <= row.height * CLOSE.above
    if (!isClose || segment === undefined || others.length > 0 || segment.left < start) return
    if (narrow(gutters, row).crossed === 0) return
    taken.push(row)
    below = row
  }
}

const leftOf = (gutters: readonly Interval[]): number =>
  gutters.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)

/** Splits a run at rows that cross its gutters, if other columns or headings follow. */
export function splitRun({ rows, crossing }: Run): TextRow[][] {
  const parts: TextRow[][] = []
  let part: TextRow[] = []
  for (const [index, row] of rows.entries()) {
    if (
      crossing.has(row) &&
      part.length > 1 &&
      beginsTable(rows.slice(index, index + SAMPLE), part, crossing)
    ) {
      parts.push(part)
      part = []
    }
    part.push(row)
  }
  return [...parts, part]
}

function beginsTable(
  rows: readonly TextRow[],
  above: readonly TextRow[],
  crossing: ReadonlySet<TextRow>,
): boolean {
  const from = rows.findIndex((row) => !crossing.has(row))
  if (from === -1) return false
  const to = rows.findIndex((row, index) => index > from && crossing.has(row))
  const following = rows.slice(from, to === -1 ? rows.length : to)
  const gutters = findGutters(above.slice(-SAMPLE))
  const [first] = following
  const isHeading =
    first !== undefined &&
    first.segments.every(({ left, words }) => left > leftOf(gutters) && !isNumber(words))
  return isHeading || !haveSameColumns(gutters, findGutters(following))
}
