import type { RgbPicture } from '../../image/rgb-picture.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A turn, a scale and a shift: x′ = a·x − b·y + left, y′ = b·x + a·y + top. */
export interface Similarity {
  readonly a: number
  readonly b: number
  readonly left: number
  readonly top: number
}

export const CHIP_SIDE = 150
const PADDING = 0.25

/**
 * Where the landmarks 27 to 54 and 60 to 64 of 68 are in the mean face, from 0 to 1: nose, eyes and upper lip. These are the numbers, the
 * choice of landmarks, the padding and the size with which the recognition network was trained:
 * https://github.com/davisking/dlib/blob/v19.24/dlib/image_transforms/interpolation.h (get_face_chip_details).
 */
const MEAN_FACE: ReadonlyMap<number, Point> = new Map(
  (
    [
      [27, 0.490127, 0.203352],
      [28, 0.490127, 0.307009],
      [29, 0.490127, 0.409805],
      [30, 0.490127, 0.515625],
      [31, 0.36688, 0.587326],
      [32, 0.426036, 0.609345],
      [33, 0.490127, 0.628106],
      [34, 0.554217, 0.609345],
      [35, 0.613373, 0.587326],
      [36, 0.121737, 0.216423],
      [37, 0.187122, 0.178758],
      [38, 0.265825, 0.179852],
      [39, 0.334606, 0.231733],
      [40, 0.260918, 0.245099],
      [41, 0.182743, 0.244077],
      [42, 0.645647, 0.231733],
      [43, 0.714428, 0.179852],
      [44, 0.793132, 0.178758],
      [45, 0.858516, 0.216423],
      [46, 0.79751, 0.244077],
      [47, 0.719335, 0.245099],
      [48, 0.254149, 0.780233],
      [49, 0.340985, 0.745405],
      [50, 0.428858, 0.727388],
      [51, 0.490127, 0.742578],
      [52, 0.551395, 0.727388],
      [53, 0.639268, 0.745405],
      [54, 0.726104, 0.780233],
      [60, 0.290379, 0.784792],
      [61, 0.428096, 0.778746],
      [62, 0.490127, 0.785343],
      [63, 0.552157, 0.778746],
      [64, 0.689874, 0.784792],
    ] as const
  ).map(([index, x, y]) => [index, { x, y }]),
)

/**
 * Cuts a face out of a picture, turned and scaled so that its landmarks come as near as they can to those of the mean face.
 *
 * @param landmarks the 68 of the iBUG scheme, in pixels
 * @returns a square of `CHIP_SIDE` pixels
 */
export function cutFaceChip(picture: RgbPicture, landmarks: readonly Point[]): RgbPicture {
  return samplePicture(picture, fitFace(landmarks, { side: CHIP_SIDE, padding: PADDING }), CHIP_SIDE)
}

/**
 * Returns the similarity that brings the mean face, in a square with a padding, as near as it can to landmarks in a picture.
 *
 * @param square.padding margin around the mean face, as a share of its side
 */
export function fitFace(
  landmarks: readonly Point[],
  { side, padding }: { readonly side: number; readonly padding: number },
): Similarity {
  const toSquare = (mean: number) => ((mean + padding) / (2 * padding + 1)) * side
  return fitSimilarity(
    [...MEAN_FACE].flatMap(([index, mean]) => {
      const found = landmarks[index]
      return found === undefined ? [] : [{ from: { x: toSquare(mean.x), y: toSquare(mean.y) }, to: found }]
    }),
  )
}

/** Returns the similarity with the least squares of distances (Umeyama, 1991, in two dimensions without reflection). */
function fitSimilarity(pairs: readonly { readonly from: Point; readonly to: Point }[]): Similarity {
  const from = centreOf(pairs.map((pair) => pair.from))
  const to = centreOf(pairs.map((pair) => pair.to))
  let [a, b, spread] = [0, 0, 0]
  for (const pair of pairs) {
    const [x, y] = [pair.from.x - from.x, pair.from.y - from.y]
    const [u, v] = [pair.to.x - to.x, pair.to.y - to.y]
    a += x * u + y * v
    b += x * v - y * u
    spread += x * x + y * y
  }
  a /= spread
  b /= spread
  return { a, b, left: to.x - a * from.x + b * from.y, top: to.y - b * from.x - a * from.y }
}

function centreOf(points: readonly Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

/** Reads each pixel of a square as the mean of as many points of the picture as it covers pixels there. */
export function samplePicture(
  picture: RgbPicture,
  { a, b, left, top }: Similarity,
  side: number,
): RgbPicture {
  const data = new Uint8Array(side * side * 3)
  const steps = Math.max(1, Math.round(Math.hypot(a, b)))
  const offsets = Array.from({ length: steps }, (_, step) => (step + 0.5) / steps - 0.5)
  const sum = new Float64Array(3)
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      sum.fill(0)
      for (const down of offsets)
        for (const right of offsets) {
          const [x, y] = [column + right, row + down]
          addPixel(picture, a * x - b * y + left, b * x + a * y + top, sum)
        }
      const at = (row * side + column) * 3
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = Math.round((sum[channel] ?? 0) / (steps * steps))
    }
  return { data, width: side, height: side }
}

/** Adds the colour at a place between pixels, interpolated. Beyond the picture, its edge goes on. */
function addPixel({ data, width, height }: RgbPicture, x: number, y: number, sum: Float64Array): void {
  const [column, row] = [clamp(x, width - 1), clamp(y, height - 1)]
  const [x0, y0] = [Math.floor(column), Math.floor(row)]
  const [right, down] = [column - x0, row - y0]
  const x1 = Math.min(width - 1, x0 + 1)
  const y1 = Math.min(height - 1, y0 + 1)
  for (let channel = 0; channel < 3; channel++) {
    const value = (atX: number, atY: number) => data[(atY * width + atX) * 3 + channel] ?? 0
    const upper = value(x0, y0) * (1 - right) + value(x1, y0) * right
    const lower = value(x0, y1) * (1 - right) + value(x1, y1) * right
    sum[channel] = (sum[channel] ?? 0) + upper * (1 - down) + lower * down
  }
}

const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value))
