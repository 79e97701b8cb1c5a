import { type GreyImage, rawOf, rotateGrey } from '../image/open-image.ts'
import { type Axis, findAxis } from './find-axis.ts'
import { findInk, INK_SIDE } from './ink.ts'

/** How the lines of a page run. */
export interface LineDirection {
  readonly axis: Axis
  /** Whether the gaps between letters tell the axis. */
  readonly isSure: boolean
  /** Degrees by which to turn the page clockwise so that lines are parallel to the axis; 0 unless they are clearly not. */
  readonly tilt: number
}

const MAX_TILT_DEGREES = 10
/** A page is turned only if it is tilted this much, and lines become this much clearer, because turning blurs it. */
const LEAST = { tiltDegrees: 0.4, gain: 1.1 }
/** With fewer, such as on an empty page, nothing is known. */
const MIN_INK = 100

/**
 * Finds the axis of the lines by the gaps between letters, and their tilt by their projection: counted row by row, ink differs most between
 * neighbouring rows if the rows run along the lines (Postl, 1986). If the gaps do not tell the axis, the projections do. Those of a few letters do
 * not: the strokes of `6 pm` stand in columns, so such a page is taken as it lies.
 */
export async function findLineDirection(page: GreyImage): Promise<LineDirection> {
  const ink = await findInk(page)
  if (ink.along.length < MIN_INK) return { axis: 'horizontal', isSure: false, tilt: 0 }
  const axis = findAxis(ink)
  const horizontal = () => findTilt(ink.along, ink.across)
  // A turn that levels columns has the opposite sign.
  const vertical = () => {
    const { tilt, score } = findTilt(ink.across, ink.along)
    return { tilt: 0 - tilt, score }
  }
  if (axis === 'few') return { axis: 'horizontal', isSure: false, tilt: horizontal().tilt }
  if (axis !== 'either')
    return { axis, isSure: true, tilt: (axis === 'horizontal' ? horizontal() : vertical()).tilt }
  const [level, upright] = [horizontal(), vertical()]
  // The edges of columns outweigh the short lines of a receipt, unless each counts as a share of its length. One
  // of both suffices for a page to be taken as it lies.
  const [rows, columns] = [extentOf(ink.across), extentOf(ink.along)]
  return level.score >= upright.score || level.score * rows >= upright.score * columns
    ? { axis: 'horizontal', isSure: false, tilt: level.tilt }
    : { axis: 'vertical', isSure: false, tilt: upright.tilt }
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
  const shifts = Int16Array.from({ length: INK_SIDE }, (_, place) => margin + Math.round(place * slope))
  const rows = new Int32Array(INK_SIDE + 2 * margin + 1)
  for (let index = 0; index < along.length; index++) {
    const row = (across[index] ?? 0) + (shifts[along[index] ?? 0] ?? 0)
    rows[row] = (rows[row] ?? 0) + 1
  }
  let score = 0
  for (let row = 1; row < rows.length; row++) score += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  return score
}

/** How many turned pictures of a page are kept: it may be upside down. */
const KEPT = 2
const turned = new WeakMap<GreyImage, { degrees: number; picture: Promise<GreyImage> }[]>()

/** Turns a page clockwise. Several steps ask for the same, and find more out about the picture, which none of them changes. */
export function turnPage(page: GreyImage, degrees: number): Promise<GreyImage> {
  const kept = turned.get(page) ?? []
  const known = kept.find((one) => one.degrees === degrees)
  if (known !== undefined) return known.picture
  const picture = rotateGrey(page, degrees)
  turned.set(page, [...kept, { degrees, picture }].slice(-KEPT))
  return picture
}

/** Scales a page down to a longest side. */
export async function shrinkPage(page: GreyImage, side: number): Promise<GreyImage> {
  if (Math.max(page.width, page.height) <= side) return page
  const { data, info } = await rawOf(page)
    .resize({ width: side, height: side, fit: 'inside' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
