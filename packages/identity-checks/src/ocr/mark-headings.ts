import { HeadingPlaces } from './headings/heading-places.ts'
import {
  bodyPrint,
  bottom,
  isSameSize,
  LARGER,
  type PrintedLine,
  printedLines,
} from './headings/printed-lines.ts'
import type { StyleOf } from './headings/print-style.ts'
import { readsLikeHeading } from './headings/read-like-heading.ts'
import { type PageTable, type TextBlock, type TextLine, toBlock } from './layout.ts'

/**
 * Sizes of headings of the first, second and third level, compared with the body of their page; smaller ones are of the fourth. Of HTML, the
 * second to fourth have 1.5, 1.17 and 1; of LaTeX's articles, sections have 1.44, 1.2 and 1.
 */
const LEVELS = [1.6, 1.3, LARGER]
/** The least size of a heading in bold print. */
const LEAST_BOLD = 0.95
/** Lines read with less confidence are specks and pictures that look like large print. */
const LEAST_CONFIDENCE = 0.8
const MAX_LINES = 4
/** Lines of a heading follow each other as those of the body do, or as lines without extra space, by so much more. */
const LEADING = { single: 1.3, more: 1.35 }
/** More lines in large or bold print are no headings. This bounds the time that hostile text takes. */
const MAX_CANDIDATES = 200

/**
 * Finds the headings of a page by their print, their place and their words, and makes each a block of its own.
 *
 * @param page.height in pixels
 */
export function markHeadings(
  blocks: readonly TextBlock[],
  page: { height: number; styleOf: StyleOf; tables?: readonly PageTable[] | undefined },
): TextBlock[] {
  const lines = printedLines(
    blocks.flatMap((block) => block.lines),
    page.styleOf,
  )
  const body = bodyPrint(lines)
  const candidates = lines.filter(({ size, isBold, line }) => {
    const ratio = size / body.size
    if (line.confidence < LEAST_CONFIDENCE) return false
    return ratio >= LARGER || (isBold && !body.isBold && ratio >= LEAST_BOLD)
  })
  if (candidates.length > MAX_CANDIDATES) return [...blocks]
  const places = new HeadingPlaces({ ...page, lines, candidates, body })
  const leading = Math.max(body.leading, LEADING.single) * LEADING.more
  const headings = new Map<TextLine, PrintedLine[]>()
  for (const group of groupLines(lines, new Set(candidates), leading))
    if (
      group.length <= MAX_LINES &&
      readsLikeHeading(group.map(({ line }) => line.text).join(' ')) &&
      places.suits(group)
    )
      for (const { line } of group) headings.set(line, group)
  return splitBlocks(blocks, headings, body.size)
}

/** Joins candidates that follow each other in the same print. */
function groupLines(
  lines: readonly PrintedLine[],
  candidates: ReadonlySet<PrintedLine>,
  leading: number,
): PrintedLine[][] {
  const groups: PrintedLine[][] = []
  let last: PrintedLine | undefined
  for (const line of lines) {
    const isCandidate = candidates.has(line)
    if (isCandidate && last !== undefined && continues(last, line, leading)) groups.at(-1)?.push(line)
    else if (isCandidate) groups.push([line])
    last = isCandidate ? line : undefined
  }
  return groups
}

function continues(last: PrintedLine, next: PrintedLine, leading: number): boolean {
  const step = bottom(next.line.box) - bottom(last.line.box)
  return (
    isSameSize(last.size, next.size) && last.isBold === next.isBold && step > 0 && step < next.size * leading
  )
}

function splitBlocks(
  blocks: readonly TextBlock[],
  headings: ReadonlyMap<TextLine, readonly PrintedLine[]>,
  bodySize: number,
): TextBlock[] {
  return blocks.flatMap((block) => {
    if (!block.lines.some((line) => headings.has(line))) return [block]
    const parts: TextBlock[] = []
    let open: TextLine[] = []
    const close = () => {
      if (open.length > 0) parts.push(toBlock(open))
      open = []
    }
    for (const line of block.lines) {
      const group = headings.get(line)
      if (group === undefined) open.push(line)
      else if (group[0]?.line === line) {
        close()
        const { size } = group[0]
        parts.push({ ...toBlock(group.map((part) => part.line)), heading_level: levelOf(size / bodySize) })
      }
    }
    close()
    return parts
  })
}

function levelOf(ratio: number): number {
  const level = LEVELS.findIndex((least) => ratio >= least)
  return level === -1 ? LEVELS.length + 1 : level + 1
}
