import type { GreyImage } from '../image/open-image.ts'
import { turn } from '../image/turn.ts'
import type { LinePlace } from './find-grid.ts'
import { ANYTHING } from './grammar.ts'
import { locateParts, type TextBand, type Zone } from './locate-lines.ts'
import { glimpseLine } from './read-line.ts'
import { shrink } from './turn-picture.ts'

const LOCATE_WIDTH = 700
/** Pairs of bands whose ends are looked at, and those of them whose glyphs are. */
const MAX_PAIRS = 100
const MAX_PARTS = 6
/** Distance of the lines of a zone by the pitch of its characters. */
const SPACING = 2.5
/** Mean log-likelihood above which a part of a line is in OCR-B. That of sharp lines is above -0.01, of other letters below -0.06. */
const READABLE = -0.03
const MIN_CHARACTERS = 5
/** Pixels at least so bright are burnt out, and this share of those beyond the end of a line's part must be. */
const BURNT_OUT = { level: 252, share: 0.9 }
/** If more of the picture is as bright, it shows white paper, and lines that end there just end. */
const PAPER_SHARE = 0.5
/** Place of what must be burnt out, in characters beyond the end of a part. */
const BEYOND = { from: 1.5, to: 4 }

type Classify = (cell: Float32Array) => Float32Array

/**
 * Detects light that covers a part of a machine-readable zone: two lines in OCR-B end where the picture is burnt out. Without
 * such lines, the picture needs a zone, not better light.
 */
export function hasGlareOnZone(grey: GreyImage, classify: Classify): boolean {
  const bright = grey.data.reduce((count, value) => count + Number(value >= BURNT_OUT.level), 0)
  if (bright === 0 || bright > PAPER_SHARE * grey.data.length) return false
  return [0, 180, 90, 270].some((degrees) => {
    const image = turn(grey, degrees)
    const scale = Math.max(1, image.width / LOCATE_WIDTH)
    return locateParts(shrink(image, scale))
      .slice(0, MAX_PAIRS)
      .filter((part) => endsInLight(image, part, scale))
      .slice(0, MAX_PARTS)
      .some((part) => isInFont(image, { part, scale, classify }))
  })
}

/** Returns the part of two lines that both show, in the pixels of the whole picture. */
function overlapOf({ bands, widenedBy }: Zone, scale: number) {
  const [first, second] = bands
  if (first === undefined || second === undefined) return null
  const distance = second.middleY - second.slope * (second.middleX - first.middleX) - first.middleY
  const left = (Math.max(first.left, second.left) + widenedBy * 0.55) * scale
  const right = (Math.min(first.right, second.right) - widenedBy * 0.55) * scale
  return { both: [first, second], left, right, pitch: (distance * scale) / SPACING }
}

const yAt = (band: TextBand, x: number, scale: number) =>
  (band.middleY + band.slope * (x / scale - band.middleX)) * scale

function endsInLight(image: GreyImage, part: Zone, scale: number): boolean {
  const overlap = overlapOf(part, scale)
  if (overlap === null || overlap.right <= overlap.left) return false
  const { both, left, right, pitch } = overlap
  return [
    [left - BEYOND.to * pitch, left - BEYOND.from * pitch],
    [right + BEYOND.from * pitch, right + BEYOND.to * pitch],
  ].some(([from = 0, to = 0]) =>
    both.every(
      (band) => brightShare(image, { from, to, pitch, y: (x) => yAt(band, x, scale) }) > BURNT_OUT.share,
    ),
  )
}

/** Measures the share of burnt-out pixels along a part of a line. */
function brightShare(
  { data, width, height }: GreyImage,
  { from, to, pitch, y }: { from: number; to: number; pitch: number; y: (x: number) => number },
): number {
  let [bright, all] = [0, 0]
  for (let x = Math.round(from); x < to; x++)
    for (let row = Math.round(y(x) - pitch / 2); row < y(x) + pitch / 2; row++) {
      all++
      if (x < 0 || row < 0 || x >= width || row >= height) continue
      if ((data[row * width + x] ?? 0) >= BURNT_OUT.level) bright++
    }
  return all === 0 ? 0 : bright / all
}

function isInFont(
  image: GreyImage,
  { part, scale, classify }: { part: Zone; scale: number; classify: Classify },
): boolean {
  const overlap = overlapOf(part, scale)
  if (overlap === null) return false
  const { both, left, right, pitch } = overlap
  const length = Math.round((right - left) / pitch)
  if (length < MIN_CHARACTERS || length > 44) return false
  return both.every((band) => {
    const place: LinePlace = {
      left,
      right,
      middleX: band.middleX * scale,
      middleY: band.middleY * scale,
      slope: band.slope,
    }
    const choices = Array.from({ length }, () => ANYTHING)
    return (
      glimpseLine({ image, place, choices, growths: [1], reach: 1.05, least: READABLE, classify }) !== null
    )
  })
}
