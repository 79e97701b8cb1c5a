import type { GreyImage } from '../image/open-image.ts'
import { findInk, INK_SIDE, type Ink } from './ink.ts'

/** A gutter is at least 1 % of the side of the picture in which columns are searched. */
const MIN_GUTTER = 8
/** A rule between columns has ink in most of its rows. */
const RULE = 0.9
/** Running text fills its column: lines this wide are so many of its lines, and few have a wider gap within. */
const PROSE = { minLines: 4, width: 0.75, share: 0.6, gap: 0.12, gapless: 0.8 }
/** A column of running text is that many lines wide at least, and a column of amounts is not. */
const MIN_WIDTH_LINES = 10
/** A page is looked at in strips, because headings and pictures interrupt its gutters. Large print needs high ones. */
const STRIP_HEIGHTS = [100, 200, 400]
/** Lines of columns side by side, over the strips, of which each is in two. */
const MIN_EVIDENCE = 6
/** Rows with less of the ink of a row amid letters lie between lines, even if those are slightly skewed. */
const BETWEEN_LINES = 0.25

/** Lower runs of rows are the feet of letters, or a line that the strip cuts. */
const PART_OF_LINE = 0.35

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Whether running text stands in columns side by side on an upright page, rather than in rows, as the cells of tables, forms and
 * receipts do.
 */
export async function hasColumns(page: GreyImage): Promise<boolean> {
  const ink = new InkMap(await findInk(page))
  return STRIP_HEIGHTS.some((height) => {
    let lines = 0
    for (let top = 0; top + height <= INK_SIDE; top += height / 2)
      lines += ink.linesInColumns({ left: 0, top, right: INK_SIDE, bottom: top + height })
    return lines >= MIN_EVIDENCE
  })
}

/** Ink in a picture, whose rows and columns of pixels are counted by differences of sums. */
class InkMap {
  /** Ink of a row to the left of each place, and of a column above it. */
  readonly #before = new Uint16Array(INK_SIDE * (INK_SIDE + 1))
  readonly #above = new Uint16Array((INK_SIDE + 1) * INK_SIDE)

  constructor({ along, across }: Ink) {
    const before = this.#before
    const above = this.#above
    for (let index = 0; index < along.length; index++) {
      const [x, y] = [along[index] ?? 0, across[index] ?? 0]
      before[y * (INK_SIDE + 1) + x + 1] = 1
      above[(y + 1) * INK_SIDE + x] = 1
    }
    for (let at = INK_SIDE; at < above.length; at++)
      above[at] = (above[at] ?? 0) + (above[at - INK_SIDE] ?? 0)
    for (let start = 0; start < before.length; start += INK_SIDE + 1) {
      let ink = 0
      for (let at = start + 1; at <= start + INK_SIDE; at++) {
        ink += before[at] ?? 0
        before[at] = ink
      }
    }
  }

  /** Counts the lines of running text that another column has beside them. */
  linesInColumns(strip: Area): number {
    const [, second = 0] = this.#columnsOf(strip)
      .map((column) => this.#linesOfProse(column))
      .toSorted((one, other) => other - one)
    return second
  }

  /** Counts the ink of each row. */
  #rows({ left, top, right, bottom }: Area): Uint16Array {
    const rows = new Uint16Array(bottom - top)
    for (let row = 0; row < rows.length; row++) {
      const start = (top + row) * (INK_SIDE + 1)
      rows[row] = (this.#before[start + right] ?? 0) - (this.#before[start + left] ?? 0)
    }
    return rows
  }

  /** Counts the ink of each column of pixels. */
  #pixelColumns({ left, top, right, bottom }: Area): Uint16Array {
    const columns = new Uint16Array(right - left)
    for (let column = 0; column < columns.length; column++)
      columns[column] =
        (this.#above[bottom * INK_SIDE + left + column] ?? 0) -
        (this.#above[top * INK_SIDE + left + column] ?? 0)
    return columns
  }

  /** Finds what stands between the gutters. */
  #columnsOf(area: Area): Area[] {
    const height = area.bottom - area.top
    const gutters = runsOf(this.#pixelColumns(area), (count) => count === 0 || count > height * RULE).filter(
      ({ start, end }) => end - start >= MIN_GUTTER,
    )
    const edges = [0, ...gutters.flatMap(({ start, end }) => [start, end]), area.right - area.left]
    return Array.from({ length: edges.length / 2 }, (_, index) => ({
      ...area,
      left: area.left + (edges[2 * index] ?? 0),
      right: area.left + (edges[2 * index + 1] ?? 0),
    })).filter(({ left, right }) => right > left)
  }

  /** Counts the lines of a column; 0 if they are no running text. */
  #linesOfProse(column: Area): number {
    const rows = this.#rows(column)
    const amidLetters = rows.toSorted()[Math.floor(rows.length * 0.9)] ?? 0
    const found = runsOf(rows, (count) => count > amidLetters * BETWEEN_LINES)
    const tallest = Math.max(...found.map(({ start, end }) => end - start))
    const lines = found
      .filter(({ start, end }) => end - start > tallest * PART_OF_LINE)
      .map(({ start, end }) => ({ ...column, top: column.top + start, bottom: column.top + end }))
    if (lines.length < PROSE.minLines) return 0
    const width = column.right - column.left
    const heights = lines.map(({ top, bottom }) => bottom - top).toSorted((one, other) => one - other)
    if (width < MIN_WIDTH_LINES * (heights[Math.floor(heights.length / 2)] ?? 0)) return 0
    const shapes = lines.map((line) => {
      const words = runsOf(this.#pixelColumns(line), (count) => count > 0)
      const gaps = words.slice(1).map(({ start }, index) => start - (words[index]?.end ?? 0))
      return { width: (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0), gap: Math.max(0, ...gaps) }
    })
    const wide = shapes.filter((shape) => shape.width >= width * PROSE.width)
    const gapless = shapes.filter((shape) => shape.gap < width * PROSE.gap)
    return wide.length >= lines.length * PROSE.share && gapless.length >= lines.length * PROSE.gapless
      ? lines.length
      : 0
  }
}

export interface Run {
  start: number
  end: number
}

/** Finds where values follow each other for which something holds. */
export function runsOf(values: ArrayLike<number>, holds: (value: number) => boolean): Run[] {
  const runs: Run[] = []
  for (let index = 0; index < values.length; index++) {
    if (!holds(values[index] ?? 0)) continue
    const last = runs.at(-1)
    if (last?.end === index) last.end++
    else runs.push({ start: index, end: index + 1 })
  }
  return runs
}
