import { type Interval, median, type Segment, type TextRow } from './rows.ts'

/** A gutter is this wide, in heights of the print. */
const MIN_GUTTER = 0.6
/** Share of rows that may cross a gutter, such as headings of several columns; in any table, one row may. */
const CROSSING = 0.15
/** Share of rows that may reach into a gutter, apart from those that cross it. */
const REACHING = 0.07
/** Share of gutters that only one of two parts of a table may have. */
const OTHER_GUTTERS = 0.34

export const gapsWithin = ({ segments }: TextRow): Interval[] =>
  segments.slice(1).map((segment, index) => ({ left: segments[index]?.right ?? 0, right: segment.left }))

/** Returns what a row leaves of gutters, and how many of them it crosses. */
export function narrow(gutters: readonly Interval[], row: TextRow): { gutters: Interval[]; crossed: number } {
  const left = gutters.map((gutter) => piecesOf(gutter, row))
  return { gutters: left.flat(), crossed: left.filter((pieces) => pieces.length === 0).length }
}

function piecesOf(gutter: Interval, { segments, height }: TextRow): Interval[] {
  const pieces: Interval[] = []
  let from = gutter.left
  for (const { left, right } of segments) {
    if (right <= from || left >= gutter.right) continue
    pieces.push({ left: from, right: left })
    from = right
  }
  pieces.push({ left: from, right: gutter.right })
  return pieces.filter(({ left, right }) => right - left >= height * MIN_GUTTER)
}

/** Whether a segment leaves no gutter on either side of it. */
const crosses = ({ left, right }: Segment, gutter: Interval, height: number): boolean =>
  left < gutter.right &&
  right > gutter.left &&
  Math.max(left - gutter.left, gutter.right - right) < height * MIN_GUTTER

/** Finds the places that hardly any segment covers, from left to right. */
export function findGutters(rows: readonly TextRow[]): Interval[] {
  const several = rows.filter(({ segments }) => segments.length > 1)
  const known = commonGutters(several)
  const segments = several.flatMap((row) =>
    row.segments.filter((segment) => !known.some((gutter) => crosses(segment, gutter, row.height))),
  )
  return minimaOf(countCovering(segments), {
    most: several.length * REACHING,
    width: median(several.map(({ height }) => height)) * MIN_GUTTER,
  })
}

/** Returns the gutters of the row with most of them, narrowed by the rows that cross none. */
function commonGutters(rows: readonly TextRow[]): Interval[] {
  const [first, ...others] = rows.toSorted((one, other) => other.segments.length - one.segments.length)
  let gutters = first === undefined ? [] : gapsWithin(first)
  for (const row of others) {
    const narrowed = narrow(gutters, row)
    if (narrowed.crossed === 0) gutters = narrowed.gutters
  }
  const most = Math.max(1, rows.length * CROSSING)
  return gutters.filter(
    (gutter) =>
      rows.filter(({ segments, height }) => segments.some((segment) => crosses(segment, gutter, height)))
        .length <= most,
  )
}

interface Zone extends Interval {
  /** Segments that cover it. */
  readonly count: number
}

function countCovering(segments: readonly Segment[]): Zone[] {
  const edges = segments
    .flatMap(({ left, right }) => [
      { x: left, change: 1 },
      { x: right, change: -1 },
    ])
    .toSorted((one, other) => one.x - other.x || other.change - one.change)
  const zones: Zone[] = []
  let count = 0
  for (const [index, { x, change }] of edges.entries()) {
    count += change
    const right = edges[index + 1]?.x ?? x
    if (right > x) zones.push({ left: x, right, count })
  }
  return zones
}

/** Finds zones that fewer segments cover than those on both sides, and around which few do over some width. */
function minimaOf(zones: readonly Zone[], { most, width }: { most: number; width: number }): Interval[] {
  const countAt = (index: number): number => zones[index]?.count ?? -1
  return zones.flatMap((zone, index) => {
    if (zone.count > most || countAt(index - 1) <= zone.count || countAt(index + 1) <= zone.count) return []
    let [first, last] = [index, index]
    while (countAt(first - 1) <= most && countAt(first - 1) >= countAt(first)) first--
    while (countAt(last + 1) <= most && countAt(last + 1) >= countAt(last)) last++
    const [left = zone, right = zone] = [zones[first], zones[last]]
    return right.right - left.left >= width ? [{ left: zone.left, right: zone.right }] : []
  })
}

/** Whether two parts of a page have the same columns, of which one may lack a few. */
export function haveSameColumns(one: readonly Interval[], other: readonly Interval[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one]
  return (
    few.length > 0 &&
    many.length - few.length <= many.length * OTHER_GUTTERS &&
    few.every(({ left, right }) => many.some((gutter) => gutter.left < right && gutter.right > left))
  )
}
