import { type GreyImage, rawOf } from '../image/open-image.ts'

/** Longest side of the picture in which ink and lines are searched. Letters blur to bands. */
export const INK_SIDE = 800
/** Pixels this much darker than the mean of those up to so many away, on each side, are ink. */
const INK = 25
const AROUND = 15

/** Places of pixels in a picture of at most `INK_SIDE` on each side, row by row. */
export interface Ink {
  readonly along: Int16Array
  readonly across: Int16Array
}

/** Returns how many times smaller than its page the picture is in which ink is searched, at most 1. */
export const inkScale = ({ width, height }: GreyImage): number =>
  Math.min(1, INK_SIDE / Math.max(width, height))

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
    .toColourspace('b-w')
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
