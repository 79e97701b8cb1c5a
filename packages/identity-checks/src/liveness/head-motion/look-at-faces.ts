import { fitFace, type Point, samplePicture } from '../../faces/face-api/face-chip.ts'
import { findFaces, findLandmarks } from '../../faces/face-api/find-faces.ts'
import type { FaceNetworks } from '../../faces/face-api/load-face-api.ts'
import type { RgbPicture } from '../../image/rgb-picture.ts'
import type { Look } from './flatten-faces.ts'
import { applyWarp, type Warp } from './warp.ts'

/** The upright face with wide margins. The places of warps are from -1 to 1 in it. */
const UPRIGHT = { side: 200, padding: 0.6 }
/** Side of the square that the network gets, which scales it to 112. */
const SIDE = 128
/** Half the side of that square, in places of the upright face. */
const REACH = 0.8
/**
 * Squares that are a little off, by a shift, a scale and a turn in radians. A network that is sure of a face answers the same for all; how
 * much its answers differ is its noise.
 */
const SQUARES = [
  { x: 0, y: 0, scale: 1, turn: 0 },
  { x: 0.02, y: -0.015, scale: 1.04, turn: 0.04 },
  { x: -0.02, y: 0.015, scale: 0.96, turn: -0.04 },
  { x: 0.015, y: 0.02, scale: 0.98, turn: 0.02 },
  { x: -0.015, y: -0.02, scale: 1.06, turn: -0.02 },
] as const
type Square = (typeof SQUARES)[number]

/** A face in a frame. */
export interface SeenFace {
  /** Middle and size of the face in the frame, in pixels. */
  readonly x: number
  readonly y: number
  readonly size: number
  readonly look: Look
}

/** Returns the largest face of a picture, or null if it shows none. */
export async function lookAtFace(networks: FaceNetworks, picture: RgbPicture): Promise<SeenFace | null> {
  const [face] = await findFaces(networks, picture, 1)
  if (face === undefined) return null
  const place = fitFace(await findLandmarks(networks, picture, face.box), UPRIGHT)
  const upright = samplePicture(picture, place, UPRIGHT.side)
  const { left, top, width, height } = face.box
  return {
    x: left + width / 2,
    y: top + height / 2,
    size: Math.hypot(place.a, place.b) * UPRIGHT.side,
    async look(warp, answers) {
      const squares = answers === 'all' ? SQUARES : SQUARES.slice(0, 1)
      const all: (readonly Point[])[] = []
      for (const square of squares) {
        const picture = cutSquare(upright, warp, square)
        const found = await findLandmarks(networks, picture, { left: 0, top: 0, width: SIDE, height: SIDE })
        all.push(found.map((point) => toFace(square, point)))
      }
      return all
    },
  }
}

/** Takes a place of a square, in pixels, to the place of the flattened face. */
function toFace({ x, y, scale, turn }: Square, point: Point): Point {
  const [across, down] = [(point.x / SIDE) * 2 - 1, (point.y / SIDE) * 2 - 1]
  const [cos, sin] = [scale * REACH * Math.cos(turn), scale * REACH * Math.sin(turn)]
  return { x: cos * across - sin * down + x, y: sin * across + cos * down + y }
}

function cutSquare(upright: RgbPicture, warp: Warp, square: Square): RgbPicture {
  const data = new Uint8Array(SIDE * SIDE * 3)
  const half = UPRIGHT.side / 2
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      const { x, y } = applyWarp(warp, toFace(square, { x: column, y: row }))
      readPixel(upright, half * (x + 1), half * (y + 1), data, (row * SIDE + column) * 3)
    }
  return { data, width: SIDE, height: SIDE }
}

/** Reads the colour between pixels. Beyond the picture, its edge goes on. */
function readPixel(
  { data, width, height }: RgbPicture,
  x: number,
  y: number,
  into: Uint8Array,
  at: number,
): void {
  const [column, row] = [Math.min(width - 1.001, Math.max(0, x)), Math.min(height - 1.001, Math.max(0, y))]
  const [left, top] = [Math.floor(column), Math.floor(row)]
  const [right, down] = [column - left, row - top]
  for (let channel = 0; channel < 3; channel++) {
    const from = (top * width + left) * 3 + channel
    const upper = (data[from] ?? 0) * (1 - right) + (data[from + 3] ?? 0) * right
    const lower = (data[from + width * 3] ?? 0) * (1 - right) + (data[from + width * 3 + 3] ?? 0) * right
    into[at + channel] = Math.round(upper * (1 - down) + lower * down)
  }
}
