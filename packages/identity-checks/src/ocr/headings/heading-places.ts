import type { PageTable, TextBox } from '../layout.ts'
import {
  type BodyPrint,
  bottom,
  isSameSize,
  LARGER,
  type PrintedLine,
  right,
  SAME_SIZE,
} from './printed-lines.ts'
import { hasChapterNumber } from './read-like-heading.ts'

/** Parts of the height of a page, at its head and foot, that have running titles and page numbers. */
const MARGIN = 0.07
/** Print of this size, compared with the body, is no running title. */
const LARGE = 1.5
/** A wider gap between words, in sizes, separates cells, or the number of a page in a table of contents. */
const WIDE_GAP = 1.6
/** What is nearer beside a line, in sizes of the body, belongs to it; short texts, as of forms, if they are less near. */
const BESIDE = { any: 0.8, short: 1.5 }
/** Share of the letters of a page that are in long lines, from which it is running text. Invoices and forms have less. */
const RUNNING = { words: 6, share: 0.4 }
/** What a heading is above begins within that many sizes. */
const BELOW = 5
/** Text of fewer words is no text that a heading is above, but an address, a label or a cell. */
const LEAST_WORDS = 5
/** A heading in small print begins where the text below begins, within that many sizes, or stands above its middle. */
const ALIGNED = 3
/** The title of a page is in its upper part. */
const UPPER = 0.5
/** Headings in other print that follow a heading before its text. */
const MAX_PASSED = 3

interface Page {
  readonly height: number
  readonly tables?: readonly PageTable[] | undefined
  readonly lines: readonly PrintedLine[]
  /** Lines in larger or bolder print than the body. */
  readonly candidates: readonly PrintedLine[]
  readonly body: BodyPrint
}

/** Whether lines stand where headings stand. */
export class HeadingPlaces {
  readonly #page: Page
  readonly #candidates: ReadonlySet<PrintedLine>
  readonly #isRunning: boolean

  constructor(page: Page) {
    this.#page = page
    this.#candidates = new Set(page.candidates)
    const lettersOf = (lines: readonly PrintedLine[]) =>
      lines.reduce((sum, { line }) => sum + line.text.length, 0)
    const long = page.lines.filter((line) => isLong(line, RUNNING.words))
    this.#isRunning = lettersOf(long) > lettersOf(page.lines) * RUNNING.share
  }

  /** @param group lines of one print that follow each other */
  suits(group: readonly PrintedLine[]): boolean {
    const [first] = group
    if (first === undefined) return false
    return (
      group.every(
        (line) => isLevel(line) && !hasWideGap(line) && this.#isAlone(line) && !this.#isInTable(line),
      ) &&
      (this.#isTitle(group, first) ||
        (!this.#isInMargin(first) && (hasChapterNumber(first.line.text) || this.#isAboveText(group, first))))
    )
  }

  /** Whether print is the largest of a page, in its upper part; above running text, a rubric may be as large. */
  #isTitle(group: readonly PrintedLine[], { size, line: { box } }: PrintedLine): boolean {
    const { body, height } = this.#page
    return (
      size >= body.size * LARGE &&
      bottom(box) < height * UPPER &&
      (!this.#isRunning || bottom(box) > height * MARGIN) &&
      !this.#page.candidates.some((other) => !group.includes(other) && other.size > size * 0.96)
    )
  }

  #isInMargin({ line, size }: PrintedLine): boolean {
    const { height, body } = this.#page
    return (
      size < body.size * LARGE && (bottom(line.box) < height * MARGIN || line.box.y > height * (1 - MARGIN))
    )
  }

  #isInTable({ line: { box } }: PrintedLine): boolean {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    return (this.#page.tables ?? []).some(
      ({ box: table }) => x > table.x && x < right(table) && y > table.y && y < bottom(table),
    )
  }

  #isAlone({ line: { box } }: PrintedLine): boolean {
    const { lines, body } = this.#page
    return !lines.some((other) => {
      const { box: beside } = other.line
      if (beside === box) return false
      const shared = Math.min(bottom(beside), bottom(box)) - Math.max(beside.y, box.y)
      if (shared <= 0.5 * Math.min(beside.height, box.height)) return false
      const gap = Math.max(beside.x - right(box), box.x - right(beside)) / body.size
      return gap < BESIDE.any || (gap < BESIDE.short && !isLong(other, LEAST_WORDS))
    })
  }

  /** Whether print is so clearly a heading's that a list or a formula may follow: not that of authors below a title. */
  #mayBeAboveAnything({ size, isBold, line: { box } }: PrintedLine): boolean {
    const { body, candidates } = this.#page
    if (!this.#isRunning || size < body.size * LARGER) return false
    return (
      isBold ||
      !candidates.some(({ line: { box: above }, size: larger }) => {
        const gap = box.y - bottom(above)
        return (
          larger > size &&
          !isSameSize(larger, size) &&
          gap > -size / 2 &&
          gap < BELOW * body.size &&
          isAboveOther(above, box)
        )
      })
    )
  }

  /** Whether running text follows below, after headings in other print. */
  #isAboveText(group: readonly PrintedLine[], first: PrintedLine): boolean {
    const { body, lines } = this.#page
    if (!this.#isRunning && first.size < body.size * LARGER) return false
    let last = group.at(-1) ?? first
    const passed = new Set(group)
    while (passed.size <= group.length + MAX_PASSED) {
      const { box } = last.line
      const next = nextBelow(box, lines, passed)
      if (next === undefined || next.line.box.y - bottom(box) > BELOW * Math.max(last.size, body.size))
        return false
      if (!this.#candidates.has(next))
        return (
          isDistinct(first, next) &&
          (this.#mayBeAboveAnything(first) || isLong(next, LEAST_WORDS)) &&
          (!isSameSize(first.size, body.size) || isAligned(first.line.box, next.line.box, body.size))
        )
      // Labels of a form or a drawing, or lines of an address.
      if (isSameSize(next.size, first.size) && next.isBold === first.isBold) return false
      passed.add(next)
      last = next
    }
    return false
  }
}

/** Finds the next line that begins below a box and is not entirely beside it. */
function nextBelow(
  box: TextBox,
  lines: readonly PrintedLine[],
  without: ReadonlySet<PrintedLine>,
): PrintedLine | undefined {
  let found: PrintedLine | undefined
  const middle = box.y + box.height / 2
  for (const line of lines) {
    const { box: other } = line.line
    if (other.y <= middle || !isAboveOther(box, other) || without.has(line)) continue
    if (found === undefined || other.y < found.line.box.y) found = line
  }
  return found
}

/** Whether boxes are not entirely side by side. */
const isAboveOther = (one: TextBox, other: TextBox): boolean => other.x < right(one) && one.x < right(other)

const isAligned = (box: TextBox, other: TextBox, size: number): boolean =>
  Math.abs(box.x - other.x) <= ALIGNED * size ||
  Math.abs(box.x + box.width / 2 - other.x - other.width / 2) <= ALIGNED * size

/** Whether the print of a heading differs from that of the text below, however large the body of the page is. */
const isDistinct = (heading: PrintedLine, text: PrintedLine): boolean =>
  heading.size > text.size * (1 + SAME_SIZE) || (heading.isBold && !text.isBold)

/** Whether a line does not run downwards, as beside a picture. */
const isLevel = ({ line: { box } }: PrintedLine): boolean => box.width > box.height

/** Whether a line is of running text with that many words. */
const isLong = (line: PrintedLine, words: number): boolean =>
  line.line.words.length >= words && !hasWideGap(line)

/** Whether a gap between words is wide, apart from the one after a number. */
function hasWideGap({ line: { words }, size }: PrintedLine): boolean {
  return words.some(({ box }, index) => {
    const before = words[index - 1]
    if (before === undefined || box.x - right(before.box) < WIDE_GAP * size) return false
    return index > 1 || !/^[\p{L}\d]{0,2}[\d.)]*$/u.test(before.text)
  })
}
