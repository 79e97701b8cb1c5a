import type { TextBox, TextLine } from '../layout.ts'
import { median } from '../tables/rows.ts'
import type { StyleOf } from './print-style.ts'
import { isNumberedCapitals } from './read-like-heading.ts'

/** A line, and how it is printed. */
export interface PrintedLine {
  readonly line: TextLine
  /** Of most of its letters, in pixels. */
  readonly size: number
  /** Whether all of its letters are bold, or are capitals after a number, as in `IV. RESULTS`. */
  readonly isBold: boolean
}

/** The print of most letters of a page. */
export interface BodyPrint {
  readonly size: number
  readonly isBold: boolean
  /** From the foot of a line to the foot of the next, in sizes. */
  readonly leading: number
}

/** The least size of print that is larger than the body, compared with it. */
export const LARGER = 1.12
/** Sizes that differ by less are the same. Of lines in one size that were recognized, 1 % measure more. */
export const SAME_SIZE = 0.08
/** The body is print that differs by less. */
const BODY = 0.04

export const isSameSize = (one: number, other: number): boolean =>
  Math.abs(one - other) <= SAME_SIZE * Math.max(one, other)

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Leaves out lines without letters whose print is known. */
export function printedLines(lines: readonly TextLine[], styleOf: StyleOf): PrintedLine[] {
  return lines.flatMap((line) => {
    const words = line.words.flatMap((word) => {
      const style = styleOf(word)
      const letters = countLetters(word.text)
      return style === undefined || !(style.size > 0) || letters === 0 ? [] : [{ ...style, letters }]
    })
    if (words.length === 0) return []
    return [
      {
        line,
        size: commonSize(words),
        isBold: words.every(({ isBold }) => isBold) || isNumberedCapitals(line.text),
      },
    ]
  })
}

/** Finds the print of most letters. */
export function bodyPrint(lines: readonly PrintedLine[]): BodyPrint {
  const weighted = lines.map((line) => ({ ...line, letters: countLetters(line.line.text) }))
  const size = commonSize(weighted)
  const body = weighted.filter((line) => isSameSize(line.size, size))
  const sum = (of: typeof body) => of.reduce((total, { letters }) => total + letters, 0)
  return { size, leading: leadingOf(body), isBold: sum(body.filter(({ isBold }) => isBold)) > sum(body) / 2 }
}

/** From the foot of a line to the foot of the next, in sizes; more is a gap between paragraphs. */
const LEADING = { least: 1, most: 2.6 }

function leadingOf(lines: readonly PrintedLine[]): number {
  const steps = lines.flatMap(({ line, size }, index) => {
    const above = lines[index - 1]
    const step = above === undefined ? 0 : (bottom(line.box) - bottom(above.line.box)) / size
    return step >= LEADING.least && step <= LEADING.most ? [step] : []
  })
  return median(steps)
}

/** Finds the size with most letters around it. */
function commonSize(parts: readonly { size: number; letters: number }[]): number {
  const sorted = parts.toSorted((one, other) => one.size - other.size)
  let [best, most, start, within] = [0, 0, 0, 0]
  for (const { size, letters } of sorted) {
    within += letters
    for (; (sorted[start]?.size ?? size) < size * (1 - BODY); start++) within -= sorted[start]?.letters ?? 0
    if (within > most) [best, most] = [size, within]
  }
  return best
}

export const right = ({ x, width }: TextBox): number => x + width
export const bottom = ({ y, height }: TextBox): number => y + height
