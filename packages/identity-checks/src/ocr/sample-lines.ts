import type { GreyImage } from '../image/open-image.ts'
import { type Run, runsOf } from './columns.ts'
import { cutBox } from './cut-box.ts'
import { findInk, type Ink, inkScale } from './ink.ts'

/** A page with fewer lines is read, because that takes hardly longer than to sample it. */
export const MIN_LINES = 12
/** The height of a page that a line has at most, which bounds the time. */
const MAX_HEIGHT = 0.05
/** A sample is so many times wider than high at most: wide pages cost no more than narrow ones. */
const MAX_WIDTH = 20
/** Rows with less of the ink of a row amid letters lie between lines. A line has a few rows. */
const LINE = { ink: 0.25, rows: 3 }
/** Higher lines than so many middle ones are large print, or several that touch each other. */
const TYPICAL = 1.5
/** Rows of the picture that letters may reach above and below their line. */
const MARGIN = 2

/** Cuts samples out of the lines of a page: the densest, the first, the middle and the last; none if it has few lines. */
export async function cutSamples(page: GreyImage): Promise<GreyImage[]> {
  const ink = await findInk(page)
  const rows = Array.from({ length: Math.ceil(page.height * inkScale(page)) }, () => 0)
  for (const row of ink.across) rows[row] = (rows[row] ?? 0) + 1
  const amidLetters = rows.toSorted((one, other) => one - other)[Math.floor(rows.length * 0.9)] ?? 0
  const lines = runsOf(rows, (count) => count > amidLetters * LINE.ink).filter(
    (line) => heightOf(line) >= LINE.rows,
  )
  if (lines.length < MIN_LINES) return []
  const heights = lines.map(heightOf).toSorted((one, other) => one - other)
  const highest = TYPICAL * (heights[Math.floor(heights.length / 2)] ?? 0)
  const inkOf = ({ start, end }: Run) => rows.slice(start, end).reduce((sum, count) => sum + count, 0)
  const [densest] = lines
    .filter((line) => heightOf(line) <= highest)
    .toSorted((one, other) => inkOf(other) - inkOf(one))
  return [...new Set([densest, lines[0], lines[Math.floor(lines.length / 2)], lines.at(-1)])]
    .filter((line) => line !== undefined)
    .map((line) => cutSample(page, ink, line))
}

const heightOf = ({ start, end }: Run): number => end - start

/** Cuts out the part of a line that has the most ink. */
function cutSample(page: GreyImage, { along, across }: Ink, line: Run): GreyImage {
  const scale = inkScale(page)
  const columns = Array.from({ length: Math.ceil(page.width * scale) }, () => 0)
  for (let index = 0; index < along.length; index++) {
    const [x, y] = [along[index] ?? 0, across[index] ?? 0]
    if (y >= line.start && y < line.end) columns[x] = (columns[x] ?? 0) + 1
  }
  const y = Math.max(0, Math.floor((line.start - MARGIN) / scale))
  const height = Math.min(Math.ceil((line.end + MARGIN) / scale) - y, Math.ceil(page.height * MAX_HEIGHT))
  const width = height * MAX_WIDTH
  const { start } = densestRun(columns, Math.ceil(width * scale))
  return cutBox(page, { x: Math.floor(start / scale), y, width, height })
}

/** Finds the run of a length that has the largest sum, or all values if they are fewer. */
export function densestRun(values: readonly number[], length: number): Run {
  let [within, most, end] = [0, 0, Math.min(length, values.length)]
  for (const [index, value] of values.entries()) {
    within += value - (values[index - length] ?? 0)
    if (within <= most) continue
    most = within
    end = Math.max(index + 1, Math.min(length, values.length))
  }
  return { start: Math.max(0, end - length), end }
}
