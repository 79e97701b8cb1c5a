import { type TextBlock, type TextLine, type TextWord, toBlock, toLine } from '../layout.ts'

/** Lines of a block are this close, and begin this far apart, in heights of a line. */
const BLOCK = { gap: 2, indent: 2 }

/** Reads row by row, as the cells of a table, a form or a receipt belong together. */
export function toRows(pieces: readonly TextWord[][]): TextBlock[] {
  const rows: TextLine[][] = []
  for (const piece of linesOf(pieces).toSorted((one, other) => one.box.x - other.box.x)) {
    // The last piece of a row is the nearest, so that a row that is not quite level stays one.
    const [nearest] = rows
      .filter((row) => areLevel(row.at(-1), piece))
      .toSorted((one, other) => distance(one.at(-1), piece) - distance(other.at(-1), piece))
    if (nearest === undefined) rows.push([piece])
    else nearest.push(piece)
  }
  const lines = rows
    .map((row) => toLine(row.flatMap(({ words }) => words)))
    .toSorted((one, other) => middle(one) - middle(other))
  return toBlocks(lines, isBelow)
}

/** Reads what stands below each other together, as a value belongs to the label above it. */
export function toColumns(pieces: readonly TextWord[][]): TextBlock[] {
  const lines = linesOf(pieces).toSorted((one, other) => one.box.y - other.box.y)
  return toBlocks(
    lines,
    (last, line) =>
      isBelow(last, line) &&
      line.box.y > middle(last) &&
      Math.abs(line.box.x - last.box.x) < BLOCK.indent * Math.max(last.box.height, line.box.height),
  )
}

const linesOf = (pieces: readonly TextWord[][]): TextLine[] =>
  pieces.filter((words) => words.length > 0).map((words) => toLine(words))

const middle = ({ box }: TextLine): number => box.y + box.height / 2
const distance = (one: TextLine | undefined, other: TextLine): number =>
  one === undefined ? Number.POSITIVE_INFINITY : Math.abs(middle(one) - middle(other))
const areLevel = (one: TextLine | undefined, other: TextLine): boolean =>
  distance(one, other) < Math.min(one?.box.height ?? 0, other.box.height) / 2
const isBelow = (last: TextLine, { box }: TextLine): boolean =>
  box.y - (last.box.y + last.box.height) < BLOCK.gap * last.box.height

function toBlocks(
  lines: readonly TextLine[],
  follows: (last: TextLine, line: TextLine) => boolean,
): TextBlock[] {
  const blocks: TextLine[][] = []
  for (const line of lines) {
    const above = blocks.findLast((block) => {
      const last = block.at(-1)
      return last !== undefined && follows(last, line)
    })
    if (above === undefined) blocks.push([line])
    else above.push(line)
  }
  return blocks.map(toBlock)
}
