import { divideAddresses } from './divide-addresses.ts'
import { divideLines, type DividedLines, type Gap, gapsBetween, GUTTER } from './divide-lines.ts'
import { boxAround, type TextBlock, type TextLine, toBlock } from './layout.ts'

/** Lines that follow each other begin at most so many heights of a line apart. */
const LEADING = 2
/** Gaps of a line that are tried. */
const MAX_GAPS = 3
/** Columns have at least so many lines beside each other. */
const MIN_LINES = 3
/** A gutter is followed over so many lines at most, which bounds the time. Pages with longer columns are read by columns. */
const MAX_LINES = 50
/** A column of running text is so many heights of a line wide at least. Lines this wide are so many of its lines. */
const PROSE = { heights: 10, width: 0.75, share: 0.6, gap: 0.12, gapless: 0.8, letters: 0.75 }

/**
 * Reads two columns of running text of a few lines, such as two notes below a bill, one after the other, where rows were read across both,
 * and addresses below headings as well. Cells of tables, amounts, labels and other addresses stay in their rows: they don't fill their columns.
 */
export const separateColumns = (blocks: readonly TextBlock[]): TextBlock[] => blocks.flatMap(separate)

function separate(block: TextBlock): TextBlock[] {
  const separated: TextBlock[] = []
  let rest: TextLine[] = []
  for (let index = 0; index < block.lines.length;) {
    const following = block.lines.slice(index, index + MAX_LINES)
    const divided = divideAddresses(following) ?? divideProse(following)
    if (divided === null) {
      const [line] = block.lines.slice(index, ++index)
      if (line !== undefined) rest.push(line)
      continue
    }
    if (rest.length > 0) separated.push(toBlock(rest))
    rest = []
    separated.push(...divided.columns.map((column) => toBlock([...column])))
    index += divided.height
  }
  if (separated.length === 0) return [block]
  return rest.length > 0 ? [...separated, toBlock(rest)] : separated
}

/** Finds columns of running text that begin in a line, or one of which does and the other in the next line. */
function divideProse(lines: readonly TextLine[]): DividedLines | null {
  for (const gap of lines.slice(0, 2).flatMap(widestGaps)) {
    const divided = divideLines(lines, [gap], { leading: LEADING })
    if (divided.columns.every(isProse)) return divided
  }
  return null
}

/** Gaps of a line that may be gutters, the widest first. */
const widestGaps = ({ words, box }: TextLine): Gap[] =>
  gapsBetween(words)
    .filter(({ left, right }) => right - left >= box.height * GUTTER)
    .toSorted((one, other) => other.right - other.left - (one.right - one.left))
    .slice(0, MAX_GAPS)

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
    gapsBetween(words).every(({ left, right }) => right - left < width * PROSE.gap),
  )
  return (
    width >= height * PROSE.heights &&
    letters >= signs * PROSE.letters &&
    wide.length >= lines.length * PROSE.share &&
    gapless.length >= lines.length * PROSE.gapless
  )
}
