import { type TextBox, type TextLine, type TextWord, toLine } from './layout.ts'

/** A gutter is at least so many heights of a line wide. */
export const GUTTER = 1

/** A gap between words, in pixels from the left. */
export interface Gap {
  readonly left: number
  readonly right: number
}

/** Lines that were divided at gutters. */
export interface DividedLines {
  /** From left to right. */
  readonly columns: readonly (readonly TextLine[])[]
  /** Words of each line by column; empty where it has none. */
  readonly rows: readonly (readonly TextWord[][])[]
  /** How many lines were divided. */
  readonly height: number
}

/**
 * Divides the lines that gutters go on through. One column may end before another.
 *
 * @param options.leading lines that follow each other begin at most so many heights of a line apart
 * @param options.leadingBelowFirst the same of the first two
 * @param options.ends whether a line, divided into its columns, is the first that does not belong to them
 */
export function divideLines(
  lines: readonly TextLine[],
  gutters: readonly Gap[],
  {
    leading,
    leadingBelowFirst = leading,
    ends = () => false,
  }: {
    leading: number
    leadingBelowFirst?: number
    ends?: (parts: readonly TextWord[][], index: number) => boolean
  },
): DividedLines {
  const columns: TextLine[][] = Array.from({ length: gutters.length + 1 }, () => [])
  const rows: TextWord[][][] = []
  let open = gutters
  let last: TextLine | undefined
  for (const line of lines) {
    const heights = rows.length === 1 ? leadingBelowFirst : leading
    if (last !== undefined && middleOf(line) - middleOf(last) > heights * last.box.height) break
    const middles = open.map(({ left, right }) => (left + right) / 2)
    const parts = columns.map((_, index) => wordsBetween(line, middles[index - 1], middles[index]))
    if (parts.flat().length < line.words.length || ends(parts, rows.length)) break
    open = open.map(({ left, right }, index) => ({
      left: Math.max(left, ...(parts[index] ?? []).map(rightOf)),
      right: Math.min(right, ...(parts[index + 1] ?? []).map(({ box }) => box.x)),
    }))
    const height = heightOf(line)
    if (open.some(({ left, right }) => right - left < height * GUTTER)) break
    for (const [index, words] of parts.entries()) if (words.length > 0) columns[index]?.push(toLine(words))
    rows.push(parts)
    last = line
  }
  return { columns, rows, height: rows.length }
}

const wordsBetween = ({ words }: TextLine, left = -Infinity, right = Infinity): TextWord[] =>
  words.filter((word) => word.box.x >= left && rightOf(word) <= right)

/** Returns the middle one of the heights of words, because slightly skewed lines are much higher. */
const heightOf = ({ words, box }: TextLine): number =>
  words.map((word) => word.box.height).toSorted((one, other) => one - other)[Math.floor(words.length / 2)] ??
  box.height

const middleOf = ({ box }: TextLine): number => box.y + box.height / 2

const rightOf = ({ box }: { box: TextBox }): number => box.x + box.width

/** Returns the gaps between words or other parts of a line. */
export const gapsBetween = (parts: readonly { box: TextBox }[]): Gap[] =>
  parts.slice(1).map((part, index) => ({ left: rightOf(parts[index] ?? part), right: part.box.x }))
