import type { GreyImage } from '../image/open-image.ts'

/** Darker pixels are ink. */
const INK = 176
const WHITE = 255
/** A rule is this long, as a share of the longer side, and in pixels: longer than dashes and the stems of letters. */
const LENGTH = { share: 0.04, pixels: 40 }
/** Languages in Devanagari, Bengali and Gurmukhi by tesseract's codes: letters hang from a line as long as their word. */
const HANGING = new Set(['asm', 'ben', 'hin', 'mar', 'nep', 'pan', 'san'])
/** Of their pages, a horizontal rule is this long: longer than words. */
const LONGER_THAN_WORDS = 0.25
/** A rule is this many times longer than thick, and no thicker than these pixels. The stems of thin letters have 20 at most. */
const THIN = { ratio: 30, pixels: 12 }
/**
 * A rule is thin over this share of its length: it crosses other rules and touches letters. The line from which letters of Devanagari hang
 * is thick at each of their stems.
 */
const THIN_SHARE = 0.9
/** Every third pixel of a line is measured. It is no divisor of even distances between letters. */
const SAMPLE = 3

/** Rows of pixels, or columns. */
interface Direction {
  readonly lines: number
  readonly length: number
  /** From a pixel to the next of its line, and from a line to the next. */
  readonly step: number
  readonly next: number
  /** The length of a rule. */
  readonly least: number
}

/**
 * Erases ruling lines from an upright page, because tesseract takes what they frame for a picture: of tables with a line below each row, it
 * reads hardly any cell.
 *
 * @param languages that the page is read in, by tesseract's codes
 */
export function eraseRules({ data, width, height }: GreyImage, languages: readonly string[]): GreyImage {
  const longer = Math.max(width, height)
  const least = Math.ceil(Math.max(LENGTH.pixels, longer * LENGTH.share))
  const leastAcross = languages.some((code) => HANGING.has(code))
    ? Math.ceil(longer * LONGER_THAN_WORDS)
    : least
  const erased = new Uint8Array(data)
  for (const direction of [
    { lines: height, length: width, step: 1, next: width, least: leastAcross },
    { lines: width, length: height, step: width, next: 1, least },
  ])
    for (let line = 0; line < direction.lines; line++) eraseFrom(erased, data, direction, line)
  return { data: erased, width, height }
}

function eraseFrom(erased: Uint8Array, data: GreyImage['data'], direction: Direction, line: number): void {
  const { length, step, next, least } = direction
  const isInk = (at: number): boolean => (data[line * next + at * step] ?? WHITE) < INK
  // A run that is long enough has ink at one of the places looked at.
  for (let at = least - 1; at < length;) {
    let [start, end] = [at, at]
    while (isInk(at) && start > 0 && isInk(start - 1)) start--
    while (end < length && isInk(end)) end++
    if (end - start >= least) eraseRun(erased, data, direction, { line, start, end })
    at = end + least
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
  const isThin = (at: number): boolean => inkBeside(at, -1) + 1 + inkBeside(at, 1) <= most
  let [thin, sampled] = [0, 0]
  for (let at = start; at < end; at += SAMPLE) {
    sampled++
    if (isThin(at)) thin++
  }
  if (thin < sampled * THIN_SHARE) return
  for (let at = start; at < end; at++) {
    const [before, after] = [inkBeside(at, -1), inkBeside(at, 1)]
    if (before + 1 + after > most) continue
    // Its edges are grey.
    const last = Math.min(lines - 1, line + after + 1)
    for (let other = Math.max(0, line - before - 1); other <= last; other++)
      erased[other * next + at * step] = WHITE
  }
}
