import type { GreyImage } from '../image/open-image.ts'

/** Darker pixels are ink. */
const INK = 176
const WHITE = 255
/** A rule is this long, as a share of the longer side, and in pixels: longer than dashes and the stems of letters. */
const LENGTH = { share: 0.04, pixels: 40 }
/** A rule is this many times longer than thick, and no thicker than these pixels. The stems of thin letters have 20 at most. */
const THIN = { ratio: 30, pixels: 12 }
/**
 * A rule is thin over this share of its length: it crosses other rules and touches letters. The line from which letters of Devanagari hang
 * is thick at each of their stems.
 */
const THIN_SHARE = 0.9

/** Rows of pixels, or columns. */
interface Direction {
  readonly lines: number
  readonly length: number
  /** From a pixel to the next of its line, and from a line to the next. */
  readonly step: number
  readonly next: number
}

/**
 * Erases ruling lines from an upright page, because tesseract takes what they frame for a picture: of tables with a line below each row, it
 * reads hardly any cell.
 */
export function eraseRules({ data, width, height }: GreyImage): GreyImage {
  const least = Math.max(LENGTH.pixels, Math.max(width, height) * LENGTH.share)
  const erased = Uint8Array.from(data)
  for (const direction of [
    { lines: height, length: width, step: 1, next: width },
    { lines: width, length: height, step: width, next: 1 },
  ])
    for (let line = 0; line < direction.lines; line++) eraseFrom(erased, data, direction, line, least)
  return { data: erased, width, height }
}

function eraseFrom(
  erased: Uint8Array,
  data: GreyImage['data'],
  direction: Direction,
  line: number,
  least: number,
): void {
  const { length, step, next } = direction
  const isInk = (at: number): boolean => (data[line * next + at * step] ?? WHITE) < INK
  let start = 0
  for (let at = 0; at <= length; at++) {
    if (at < length && isInk(at)) continue
    if (at - start >= least) eraseRun(erased, data, direction, { line, start, end: at })
    start = at + 1
  }
}

function eraseRun(
  erased: Uint8Array,
  data: GreyImage['data'],
  { lines, step, next }: Direction,
  { line, start, end }: { line: number; start: number; end: number },
): void {
  const most = Math.min(THIN.pixels, Math.floor((end - start) / THIN.ratio))
  /** Counts the ink that joins a pixel on one side of its line, up to one more than a rule may have. */
  const inkBeside = (at: number, side: 1 | -1): number => {
    let count = 0
    for (let other = line + side; other >= 0 && other < lines && count <= most; other += side) {
      if ((data[other * next + at * step] ?? WHITE) >= INK) break
      count++
    }
    return count
  }
  const places = Array.from({ length: end - start }, (_, index) => {
    const at = start + index
    const [before, after] = [inkBeside(at, -1), inkBeside(at, 1)]
    return { at, before, after, isThin: before + 1 + after <= most }
  })
  const thin = places.filter(({ isThin }) => isThin)
  if (thin.length < places.length * THIN_SHARE) return
  // Its edges are grey.
  for (const { at, before, after } of thin)
    for (let other = Math.max(0, line - before - 1); other <= Math.min(lines - 1, line + after + 1); other++)
      erased[other * next + at * step] = WHITE
}
