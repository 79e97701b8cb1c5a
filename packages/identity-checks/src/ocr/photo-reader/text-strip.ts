import type { Point } from '../../image/turn.ts'

/** A line of text: a rectangle at any angle, along whose longer side the text runs. */
export interface TextStrip {
  readonly center: Point
  /** Along the text. */
  readonly length: number
  readonly height: number
  /** Of the text's direction, clockwise from the right, in radians; more than -π/2 and up to π/2. */
  readonly angle: number
}

/** Returns the smallest rectangle around points, of which one side lies along one of their convex hull's (Freeman and Shapira, 1975). */
export function smallestRectangle(points: readonly Point[]): TextStrip {
  const hull = convexHull(points)
  let best: TextStrip = { center: { x: 0, y: 0 }, length: Infinity, height: Infinity, angle: 0 }
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from
    const rectangle = rectangleAlong(hull, Math.atan2(to.y - from.y, to.x - from.x))
    if (rectangle.length * rectangle.height < best.length * best.height) best = rectangle
  }
  return best
}

/** Returns the corners of the convex hull, by the monotone chain of Andrew (1979). */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((one, other) => one.x - other.x || one.y - other.y)
  return [...chainOf(sorted), ...chainOf(sorted.toReversed())]
}

function chainOf(ordered: readonly Point[]): Point[] {
  const chain: Point[] = []
  for (const point of ordered) {
    while (chain.length > 1 && !turnsInward(chain.at(-2), chain.at(-1), point)) chain.pop()
    chain.push(point)
  }
  return chain.slice(0, -1)
}

function turnsInward(before: Point | undefined, last: Point | undefined, next: Point): boolean {
  if (before === undefined || last === undefined) return true
  return (last.x - before.x) * (next.y - before.y) - (last.y - before.y) * (next.x - before.x) > 0
}

function rectangleAlong(hull: readonly Point[], angle: number): TextStrip {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = hull.map(({ x, y }) => x * cos + y * sin)
  const across = hull.map(({ x, y }) => y * cos - x * sin)
  const [left, right] = [Math.min(...along), Math.max(...along)]
  const [top, bottom] = [Math.min(...across), Math.max(...across)]
  const [middle, down] = [(left + right) / 2, (top + bottom) / 2]
  const [width, height] = [right - left, bottom - top]
  return {
    center: { x: middle * cos - down * sin, y: middle * sin + down * cos },
    length: Math.max(width, height),
    height: Math.min(width, height),
    angle: withoutSense(width >= height ? angle : angle + Math.PI / 2),
  }
}

/** Returns the direction of a line that may run either way. */
function withoutSense(angle: number): number {
  const turned = angle - Math.PI * Math.round(angle / Math.PI)
  return turned <= -Math.PI / 2 ? turned + Math.PI : turned
}
