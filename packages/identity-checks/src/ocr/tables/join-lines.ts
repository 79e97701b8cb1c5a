import { isNumber, isValue } from './numbers.ts'
import {
  cellAt,
  countFilled,
  coveredColumns,
  isFilled,
  joinLines,
  type LineCell,
  type TableLine,
} from './lines.ts'
import { median } from './rows.ts'

/** Lines of a cell are this close, in heights of the print: at most, and more than the closest lines of the table. */
const CLOSE = { most: 0.75, more: 0.5 }
/** Lines of a label beside whose middle its values stand are this close. */
const AROUND = 1
/** Lines of a heading are this close, and if one of them has a label of the rows. */
const HEADING = { gap: 0.9, beside: 0.45 }
/** More lines before the first values are no heading. */
const MAX_HEADING_LINES = 7
/** Further lines are a cell of their own, to bound the time. */
const MAX_LINES = 50
/** Of the gaps, this share is between lines of a cell, if any is. */
const CLOSEST = 0.1
/** A label that goes on ends with such a word or sign, and one that goes on from above begins with a small letter or a bracket. */
const GOES_ON = /(?:[,\-–&]|\b(?:and|or|of|the|for|in|to|by|with|from|on|a|an))$/i
const GOES_ON_FROM_ABOVE = /^[\p{Ll}(]/u

const textOf = ({ words }: LineCell): string => words.map(({ text }) => text).join(' ')
const labelOf = (line: TableLine): LineCell => cellAt(line, 0)
const isLabel = (line: TableLine): boolean =>
  countFilled(line) === 1 && isFilled(labelOf(line)) && labelOf(line).span === 1

/** Joins the lines of cells that have several. */
export function joinWrapped(lines: readonly TableLine[]): TableLine[] {
  const separate = joinHeadings(joinAround(lines))
  const height = median(separate.map((line) => line.height))
  const gaps = separate.slice(1).map((line, index) => line.top - (separate[index]?.bottom ?? line.top))
  const closest = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length * CLOSEST)] ?? 0
  const joined: TableLine[] = []
  let count = 1
  for (const [index, line] of separate.entries()) {
    const last = joined.pop()
    const gap = gaps[index - 1] ?? Number.POSITIVE_INFINITY
    const isClose = gap < height * CLOSE.most && gap <= closest + height * CLOSE.more
    const isSame = last !== undefined && isClose && count < MAX_LINES && goesOn(last, line)
    count = isSame ? count + 1 : 1
    if (isSame) joined.push(joinLines(last, line))
    else joined.push(...(last === undefined ? [] : [last]), line)
  }
  return joined
}

function goesOn(last: TableLine, line: TableLine): boolean {
  const [above, label] = [textOf(labelOf(last)), textOf(labelOf(line))]
  // Cells of text go on, and no cell begins.
  if (label === '')
    return line.cells.every(
      (cell, column) => !isFilled(cell) || (isFilled(cellAt(last, column)) && !isNumber(cell.words)),
    )
  if (isLabel(line)) return countFilled(last) > 1 && above !== '' && GOES_ON_FROM_ABOVE.test(label)
  return isLabel(last) && (GOES_ON_FROM_ABOVE.test(label) || GOES_ON.test(above))
}

/** Joins the two lines of a label whose values stand between them. */
function joinAround(lines: readonly TableLine[]): TableLine[] {
  const joined: TableLine[] = []
  for (let index = 0; index < lines.length; index++) {
    const [one, two, three] = lines.slice(index, index + 3)
    if (one === undefined) break
    const isAround =
      two !== undefined &&
      three !== undefined &&
      isLabel(one) &&
      !isFilled(labelOf(two)) &&
      isLabel(three) &&
      three.top - one.bottom < one.height * AROUND
    joined.push(isAround ? joinLines(joinLines(one, two), three) : one)
    if (isAround) index += 2
  }
  return joined
}

/** Joins the lines of headings, unless one of them covers several columns. */
function joinHeadings(lines: readonly TableLine[]): TableLine[] {
  const body = lines.findIndex(
    (line) =>
      isFilled(labelOf(line)) &&
      countFilled(line) > 1 &&
      line.cells.slice(1).every((cell) => !isFilled(cell) || isValue(cell.words)),
  )
  if (body < 1 || body > MAX_HEADING_LINES) return [...lines]
  const joined: TableLine[] = []
  for (const line of lines.slice(0, body)) {
    const last = joined.pop()
    if (last !== undefined && isSameHeading(last, line)) joined.push(joinLines(last, line))
    else joined.push(...(last === undefined ? [] : [last]), line)
  }
  return [...joined, ...lines.slice(body)]
}

function isSameHeading(last: TableLine, line: TableLine): boolean {
  const gap = line.top - last.bottom
  if (gap >= line.height * HEADING.gap) return false
  if ([...last.cells, ...line.cells].some(({ span }) => span > 1)) return false
  const [above, below] = [coveredColumns(last), coveredColumns(line)]
  // The label of the rows ends the heading, unless it is part of it.
  if (!above.includes(0) && below.includes(0))
    if (gap > line.height * HEADING.beside || line.cells.some((cell) => /\p{N}/u.test(textOf(cell))))
      return false
  if (below.every((column) => above.includes(column))) return true
  return above.every((column) => below.includes(column)) && above.length * 2 > below.length
}
