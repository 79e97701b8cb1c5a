import { boxAround, type TextBlock, type TextLine, type TextWord, toBlock, toLine } from './layout.ts'

/** Lines that follow each other begin at most so many heights of a line apart. */
const LEADING = 2
/** A gutter is at least so many heights of a line wide. */
const GUTTER = 1
/** Gaps of a line that are tried. */
const MAX_GAPS = 3
/** Columns have at least so many lines beside each other. */
const MIN_LINES = 3
/** A gutter is followed over so many lines at most, which bounds the time. Pages with longer columns are read by columns. */
const MAX_LINES = 50
/** A column of running text is so many heights of a line wide at least. Lines this wide are so many of its lines. */
const PROSE = { heights: 10, width: 0.75, share: 0.6, gap: 0.12, gapless: 0.8, letters: 0.75 }

/**
 * Reads two columns of running text of a few lines, such as two notes below a bill, one after the other, where rows were read across both.
 * Cells of tables, amounts, addresses and labels stay in their rows: they don't fill their columns.
 */
export const separateColumns = (blocks: readonly TextBlock[]): TextBlock[] => blocks.flatMap(separate)

function separate(block: TextBlock): TextBlock[] {
  const separated: TextBlock[] = []
  let rest: TextLine[] = []
  for (let index = 0; index < block.lines.length;) {
    const columns = columnsFrom(block.lines, index)
    if (columns === null) {
      const [line] = block.lines.slice(index, ++index)
      if (line !== undefined) rest.push(line)
      continue
    }
    if (rest.length > 0) separated.push(toBlock(rest))
    rest = []
    separated.push(toBlock(columns.left), toBlock(columns.right))
    index += columns.height
  }
  if (separated.length === 0) return [block]
  return rest.length > 0 ? [...separated, toBlock(rest)] : separated
}

interface Columns {
  readonly left: TextLine[]
  readonly right: TextLine[]
  /** How many lines were parted. */
  readonly height: number
}

/** A gap between words, in pixels from the left. */
interface Gap {
  readonly left: number
  readonly right: number
}

/** Finds columns of running text that begin in a line, or one of which does and the other in the next line. */
function columnsFrom(lines: readonly TextLine[], first: number): Columns | null {
  for (const gap of lines.slice(first, first + 2).flatMap(gapsOf)) {
    const columns = columnsBeside(lines.slice(first, first + MAX_LINES), gap)
    if (isProse(columns.left) && isProse(columns.right)) return columns
  }
  return null
}

const middleOf = ({ box }: TextLine): number => box.y + box.height / 2

/** Gaps of a line that may be gutters, the widest first. */
const gapsOf = ({ words, box }: TextLine): Gap[] =>
  words
    .slice(1)
    .map((word, index) => ({ left: rightOf(words[index]), right: word.box.x }))
    .filter(({ left, right }) => right - left >= box.height * GUTTER)
    .toSorted((one, other) => other.right - other.left - (one.right - one.left))
    .slice(0, MAX_GAPS)

const rightOf = (word: TextWord | undefined): number => (word === undefined ? 0 : word.box.x + word.box.width)

/** Parts the lines that a gutter goes on through. One column may end before the other. */
function columnsBeside(lines: readonly TextLine[], gutter: Gap): Columns {
  let { left: start, right: end } = gutter
  const [left, right]: [TextLine[], TextLine[]] = [[], []]
  let height = 0
  let last: TextLine | undefined
  for (const line of lines) {
    if (last !== undefined && middleOf(line) - middleOf(last) > LEADING * last.box.height) break
    const before = line.words.filter((word) => rightOf(word) <= (start + end) / 2)
    const after = line.words.filter((word) => word.box.x >= (start + end) / 2)
    if (before.length + after.length < line.words.length) break
    start = Math.max(start, ...before.map(rightOf))
    end = Math.min(end, ...after.map(({ box }) => box.x))
    if (end - start < line.box.height * GUTTER) break
    if (before.length > 0) left.push(toLine(before))
    if (after.length > 0) right.push(toLine(after))
    height++
    last = line
  }
  return { left, right, height }
}

/** Whether lines are running text: they fill their column, have no wide gaps, and are mostly of letters. */
function isProse(lines: readonly TextLine[]): boolean {
  if (lines.length < MIN_LINES) return false
  const { width } = boxAround(lines.map(({ box }) => box))
  const height = Math.max(...lines.map(({ box }) => box.height))
  const text = lines.map((line) => line.text).join('')
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  const signs = text.match(/\S/g)?.length ?? 0
  const wide = lines.filter(({ box }) => box.width >= width * PROSE.width)
  const gapless = lines.filter(({ words }) =>
    words.every((word, index) => index === 0 || word.box.x - rightOf(words[index - 1]) < width * PROSE.gap),
  )
  return (
    width >= height * PROSE.heights &&
    letters >= signs * PROSE.letters &&
    wide.length >= lines.length * PROSE.share &&
    gapless.length >= lines.length * PROSE.gapless
  )
}
