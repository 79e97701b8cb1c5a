import type { GreyImage } from './open-image.ts'

/** Rotates a picture clockwise by 0, 90, 180 or 270 degrees. */
export function turn({ data, width, height }: GreyImage, degrees: number): GreyImage {
  if (degrees === 0) return { data, width, height }
  const turned = new Uint8Array(data.length)
  if (degrees === 180) return { data: data.toReversed(), width, height }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      turned[degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y] =
        data[y * width + x] ?? 0
  return { data: turned, width: height, height: width }
}

/** A point in pixels, from the top left. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Corners of what is found: from its own top left, as it is read, clockwise. */
export type Corners = readonly [Point, Point, Point, Point]

export interface Size {
  readonly width: number
  readonly height: number
}

export const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** How a picture was scaled, and then turned clockwise about its middle. */
export interface Turn {
  readonly degrees: number
  readonly original: Size
  readonly scaled: Size
  readonly turned: Size
}

/** Returns a function that maps points of a turned picture to the original. */
export function turnBack({ degrees, original, scaled, turned }: Turn): (point: Point) => Point {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return ({ x, y }) => {
    const [right, down] = [x - turned.width / 2, y - turned.height / 2]
    return {
      x: ((scaled.width / 2 + right * cos + down * sin) * original.width) / scaled.width,
      y: ((scaled.height / 2 - right * sin + down * cos) * original.height) / scaled.height,
    }
  }
}

export const mapCorners = ([a, b, c, d]: Corners, map: (point: Point) => Point): Corners => [
  map(a),
  map(b),
  map(c),
  map(d),
]

/** Returns the corners of an upright rectangle. */
export function cornersOf({ x, y, width, height }: Point & Size): Corners {
  const [right, bottom] = [x + width, y + height]
  return [
    { x, y },
    { x: right, y },
    { x: right, y: bottom },
    { x, y: bottom },
  ]
}
