import type { Point } from '../../image/turn.ts'
import { smallestRectangle, type TextStrip } from './text-strip.ts'

/** How likely each pixel belongs to the middle of a line, 0 to 1, row by row. */
export interface TextMap {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** Limits of differentiable binarization (Liao et al., 2020), as PaddleOCR sets them for these weights. */
const LEAST = { pixel: 0.3, strip: 0.6, sidePixels: 3 }
/** The model marks lines without their rim, which is this times their area per half of their perimeter. */
const RIM = 1.6

/** Finds lines of text, in the pixels of the map. */
export function findStrips(map: TextMap): TextStrip[] {
  return findParts(map).flatMap((corners) => {
    const strip = smallestRectangle(corners)
    if (strip.height < LEAST.sidePixels || meanWithin(map, strip) < LEAST.strip) return []
    const rim = (RIM * strip.length * strip.height) / (strip.length + strip.height)
    return [{ ...strip, length: strip.length + rim, height: strip.height + rim }]
  })
}

/** Finds pixels of text that touch each other, and returns the corners of those at the ends of each row. */
function findParts(map: TextMap): Point[][] {
  const { data, width } = map
  const open = Uint8Array.from(data, (value) => (value >= LEAST.pixel ? 1 : 0))
  const parts: Point[][] = []
  for (let start = 0; start < open.length; start++) {
    if (open[start] !== 1) continue
    const rows = new Map<number, { first: number; last: number }>()
    for (const pixel of touching(start, open, map)) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)]
      const row = rows.get(y)
      if (row === undefined) rows.set(y, { first: x, last: x })
      else rows.set(y, { first: Math.min(row.first, x), last: Math.max(row.last, x) })
    }
    parts.push(
      Array.from(rows, ([y, { first, last }]) => [
        { x: first, y },
        { x: last + 1, y },
        { x: first, y: y + 1 },
        { x: last + 1, y: y + 1 },
      ]).flat(),
    )
  }
  return parts
}

/** Yields the open pixels that touch others from a first one on, and closes them. */
function* touching(start: number, open: Uint8Array, { width, height }: TextMap): Generator<number> {
  const next = [start]
  open[start] = 0
  for (let pixel = next.pop(); pixel !== undefined; pixel = next.pop()) {
    yield pixel
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    for (let down = Math.max(0, y - 1); down <= Math.min(height - 1, y + 1); down++)
      for (let right = Math.max(0, x - 1); right <= Math.min(width - 1, x + 1); right++) {
        const neighbour = down * width + right
        if (open[neighbour] !== 1) continue
        open[neighbour] = 0
        next.push(neighbour)
      }
  }
}

function meanWithin({ data, width, height }: TextMap, strip: TextStrip): number {
  const { center } = strip
  const [cos, sin] = [Math.cos(strip.angle), Math.sin(strip.angle)]
  const [long, tall] = [strip.length / 2, strip.height / 2]
  const reach = {
    x: Math.abs(long * cos) + Math.abs(tall * sin),
    y: Math.abs(long * sin) + Math.abs(tall * cos),
  }
  const [top, left] = [Math.floor(center.y - reach.y), Math.floor(center.x - reach.x)]
  let [sum, count] = [0, 0]
  for (let y = Math.max(0, top); y <= Math.min(height - 1, center.y + reach.y); y++)
    for (let x = Math.max(0, left); x <= Math.min(width - 1, center.x + reach.x); x++) {
      const [right, down] = [x + 0.5 - center.x, y + 0.5 - center.y]
      if (Math.abs(right * cos + down * sin) > long || Math.abs(down * cos - right * sin) > tall) continue
      sum += data[y * width + x] ?? 0
      count++
    }
  return count === 0 ? 0 : sum / count
}
