import { type GreyImage, rawOf } from '../image/open-image.ts'

/** How the lines of a page run. */
export interface LineDirection {
  readonly axis: 'horizontal' | 'vertical'
  /** Degrees by which to turn the page clockwise so that lines are parallel to the axis; 0 unless they are clearly not. */
  readonly tilt: number
}

/** Longest side of the picture in which ink and lines are searched. Letters blur to bands. */
export const INK_SIDE = 800
const MAX_TILT_DEGREES = 10
/** A page is turned only if it is tilted this much, and lines become this much clearer, because turning blurs it. */
const LEAST = { tiltDegrees: 0.4, gain: 1.1 }
/** Pixels this much darker than the mean of those up to so many away, on each side, are ink. */
const INK = 25
const AROUND = 15
/** With fewer, such as on an empty page, nothing is known. */
const MIN_INK = 100

/**
 * Finds the direction of the lines by their projection: counted row by row, ink differs most between neighbouring rows if the
 * rows run along the lines (Postl, 1986).
 */
export async function findLineDirection(page: GreyImage): Promise<LineDirection> {
  const ink = await findInk(page)
  if (ink.along.length < MIN_INK) return { axis: 'horizontal', tilt: 0 }
  const horizontal = findTilt(ink.along, ink.across)
  // A turn that levels columns has the opposite sign.
  const vertical = findTilt(ink.across, ink.along)
  // The edges of columns outweigh the short lines of a receipt, unless each counts as a share of its length. A few letters have it the other way round.
  const [rows, columns] = [extentOf(ink.across), extentOf(ink.along)]
  return horizontal.score >= vertical.score || horizontal.score * rows >= vertical.score * columns
    ? { axis: 'horizontal', tilt: horizontal.tilt }
    : { axis: 'vertical', tilt: 0 - vertical.tilt }
}

/** Places of pixels in a picture of at most `INK_SIDE` on each side. */
export interface Ink {
  along: Int16Array
  across: Int16Array
}

/** Several steps ask for the ink of one page, which none of them changes. */
const found = new WeakMap<GreyImage, Promise<Ink>>()

/** Finds the pixels that are darker than what is on each of their four sides, unlike a dark table around the page and its edges. */
export function findInk(page: GreyImage): Promise<Ink> {
  const ink = found.get(page) ?? searchInk(page)
  found.set(page, ink)
  return ink
}

async function searchInk(page: GreyImage): Promise<Ink> {
  const { data, info } = await rawOf(page)
    .resize({ width: INK_SIDE, height: INK_SIDE, fit: 'inside', withoutEnlargement: true })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const sums = new Uint32Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  const sumTo = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0
  const along: number[] = []
  const across: number[] = []
  const mean = (left: number, top: number, right: number, bottom: number) =>
    (sumTo(right, bottom) - sumTo(left, bottom) - sumTo(right, top) + sumTo(left, top)) /
    ((right - left) * (bottom - top))
  for (let y = AROUND; y < height - AROUND; y++)
    for (let x = AROUND; x < width - AROUND; x++) {
      const limit = (data[y * width + x] ?? 255) + INK
      // Most of a page is paper, than which nothing is that much brighter.
      if (limit >= 255) continue
      const [left, top, right, bottom] = [x - AROUND, y - AROUND, x + AROUND, y + AROUND]
      if (
        limit < mean(left, top, x, bottom) &&
        limit < mean(x, top, right, bottom) &&
        limit < mean(left, top, right, y) &&
        limit < mean(left, y, right, bottom)
      ) {
        along.push(x)
        across.push(y)
      }
    }
  return { along: Int16Array.from(along), across: Int16Array.from(across) }
}

function extentOf(places: Int16Array): number {
  let [least, most] = [INK_SIDE, 0]
  for (const place of places) {
    least = Math.min(least, place)
    most = Math.max(most, place)
  }
  return most - least
}

/** Finds the tilt coarsely, then in quarters of a degree. */
function findTilt(along: Int16Array, across: Int16Array): { tilt: number; score: number } {
  const straight = clarity(along, across, 0)
  let best = { tilt: 0, score: straight }
  const look = (tilt: number) => {
    const score = clarity(along, across, tilt)
    if (score > best.score) best = { tilt, score }
  }
  for (let tilt = -MAX_TILT_DEGREES; tilt <= MAX_TILT_DEGREES; tilt++) look(tilt)
  const { tilt: coarse } = best
  for (const step of [-0.75, -0.5, -0.25, 0.25, 0.5, 0.75]) look(coarse + step)
  const isClear = Math.abs(best.tilt) >= LEAST.tiltDegrees && best.score > straight * LEAST.gain
  return isClear ? best : { tilt: 0, score: best.score }
}

/** Computes how much neighbouring rows differ after the page is turned. */
function clarity(along: Int16Array, across: Int16Array, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const margin = Math.ceil(INK_SIDE * Math.abs(slope)) + 1
  const rows = new Int32Array(INK_SIDE + 2 * margin + 1)
  for (let index = 0; index < along.length; index++) {
    const row = margin + Math.round((across[index] ?? 0) + (along[index] ?? 0) * slope)
    rows[row] = (rows[row] ?? 0) + 1
  }
  let score = 0
  for (let row = 1; row < rows.length; row++) score += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  return score
}

/** Scales a page down to a longest side. */
export async function shrinkPage(page: GreyImage, side: number): Promise<GreyImage> {
  if (Math.max(page.width, page.height) <= side) return page
  const { data, info } = await rawOf(page)
    .resize({ width: side, height: side, fit: 'inside' })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
