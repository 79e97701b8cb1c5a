import type { GreyImage } from '../image/open-image.ts'
import { findRegions } from './find-regions.ts'

/** Geometry of a band of text, in pixels. */
export interface TextBand {
  readonly left: number
  readonly right: number
  readonly middleX: number
  readonly middleY: number
  readonly slope: number
  readonly width: number
  readonly height: number
}

/** Two or three evenly spaced bands of the same width: the lines of a possible machine-readable zone, from the top. */
export interface Zone {
  readonly bands: readonly TextBand[]
  /** Pixels by which the blur widened the bands at each end. */
  readonly widenedBy: number
}

/** Brightness as seen, so that ink in a shadow has edges as well. */
const BRIGHTNESS = Uint8Array.from({ length: 256 }, (_, value) => Math.sqrt(value / 255) * 255)
const EDGE_MIN = 14
const EDGE_MAX = 120
/** Sizes of the blur that joins letters to bands, and shares of the mean density above which a pixel belongs to a band. */
const BOXES = [
  [10, 1],
  [14, 2],
  [7, 1],
] as const
const THRESHOLDS = [1.05, 0.75, 0.5]

/** Locates possible zones, the likeliest first, in a picture about 700 pixels wide. */
export function locateZones(picture: GreyImage): Zone[] {
  const { width } = picture
  const zones = new Map<string, Zone>()
  for (const { bands: all, widenedBy } of locateBands(picture, {
    boxes: BOXES,
    shares: THRESHOLDS,
    least: WHOLE,
  }))
    for (const bands of groupBands(all, width)) {
      // A high threshold cuts off fillers, which have less ink than letters, so bands of other widths are other zones.
      const place = bands
        .map((band) => [band.middleY / 6, band.left / 16, band.right / 16].map((at) => Math.round(at)))
        .join()
      if (!zones.has(place)) zones.set(place, { bands, widenedBy })
    }
  return [...zones.values()].toSorted(
    (a, b) => b.bands.length - a.bands.length || (b.bands[0]?.width ?? 0) - (a.bands[0]?.width ?? 0),
  )
}

/** Locates pairs of bands that may be the left or right parts of a zone's lines, the longest first. */
export function locateParts(picture: GreyImage): Zone[] {
  const { width } = picture
  return [...locateBands(picture, { boxes: BOXES.slice(0, 1), shares: THRESHOLDS.slice(1), least: PART })]
    .flatMap(({ bands, widenedBy }) =>
      bands.flatMap((a, index) =>
        bands
          .slice(index + 1)
          .filter((b) => {
            const distance = below(a, b)
            const isAligned = Math.min(Math.abs(a.left - b.left), Math.abs(a.right - b.right)) < width * 0.03
            const isShort = Math.min(a.width, b.width) < distance * 2
            return isAligned && !isShort && distance > a.height * 1.3 && distance < width * 0.1
          })
          .map((b) => ({ bands: [a, b], widenedBy })),
      ),
    )
    .toSorted((a, b) => (b.bands[0]?.width ?? 0) - (a.bands[0]?.width ?? 0))
}

interface Least {
  /** Width of a band by that of the picture, and by its height. */
  readonly width: number
  readonly proportion: number
}
const WHOLE: Least = { width: 0.3, proportion: 12 }
const PART: Least = { width: 0.09, proportion: 4 }

/** Yields the bands found with each size of the blur and each threshold. */
function* locateBands(
  picture: GreyImage,
  {
    boxes,
    shares,
    least,
  }: { boxes: readonly (readonly [number, number])[]; shares: readonly number[]; least: Least },
): Generator<{ bands: TextBand[]; widenedBy: number }> {
  const { width, height } = picture
  const edges = measureEdges(picture)
  const [rows, density] = [new Float32Array(edges.length), new Float32Array(edges.length)]
  for (const [boxX, boxY] of boxes) {
    blur(edges, { width, height, boxX, boxY, rows, into: density })
    const mean = meanAbove(density, 2)
    for (const share of shares)
      yield { bands: findBands(density, { width, height, threshold: mean * share, least }), widenedBy: boxX }
  }
}

/** Measures how much the brightness changes along the row at each pixel. */
function measureEdges({ data, width, height }: GreyImage): Float32Array {
  const edges = new Float32Array(width * height)
  const brightness = data.map((value) => BRIGHTNESS[value] ?? 0)
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width - 1; x++) {
      const step = Math.abs((brightness[y * width + x + 1] ?? 0) - (brightness[y * width + x - 1] ?? 0))
      edges[y * width + x] = step > EDGE_MIN ? Math.min(step, EDGE_MAX) : 0
    }
  return edges
}

/** Computes the mean of the values above a limit. */
function meanAbove(values: Float32Array, limit: number): number {
  let sum = 0
  let count = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    if (value <= limit) continue
    sum += value
    count++
  }
  return sum / Math.max(count, 1)
}

/** Computes the mean over a box, with running sums: of rows, and then of columns. */
function blur(
  source: Float32Array,
  {
    width,
    height,
    boxX,
    boxY,
    rows,
    into,
  }: { width: number; height: number; boxX: number; boxY: number; rows: Float32Array; into: Float32Array },
): void {
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let x = -boxX; x < width; x++) {
      if (x + boxX < width) sum += source[y * width + x + boxX] ?? 0
      if (x - boxX - 1 >= 0) sum -= source[y * width + x - boxX - 1] ?? 0
      if (x >= 0) rows[y * width + x] = sum / (2 * boxX + 1)
    }
  }
  // Row by row, so that memory is read in its order.
  const sums = new Float64Array(width)
  for (let y = -boxY; y < height; y++) {
    const entering = (y + boxY) * width
    const leaving = (y - boxY - 1) * width
    const isEntering = y + boxY < height
    const isLeaving = y - boxY - 1 >= 0
    for (let x = 0; x < width; x++) {
      let sum = sums[x] ?? 0
      if (isEntering) sum += rows[entering + x] ?? 0
      if (isLeaving) sum -= rows[leaving + x] ?? 0
      sums[x] = sum
      if (y >= 0) into[y * width + x] = sum / (2 * boxY + 1)
    }
  }
}

/** Finds connected regions that are long and thin. */
function findBands(
  density: Float32Array,
  { width, height, threshold, least }: { width: number; height: number; threshold: number; least: Least },
): TextBand[] {
  return findRegions(density, { width, height, threshold })
    .flatMap(({ left, right, count, sumX, sumY, sumXX, sumXY }) => {
      const bandWidth = right - left + 1
      const bandHeight = count / bandWidth
      const isBand =
        bandWidth > width * least.width && bandWidth / bandHeight > least.proportion && bandHeight > 3
      if (!isBand) return []
      const slope = (count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX || 1)
      const [middleX, middleY] = [sumX / count, sumY / count]
      return [{ left, right, middleX, middleY, slope, width: bandWidth, height: bandHeight }]
    })
    .toSorted((a, b) => a.middleY - b.middleY)
}

/** Returns how far b lies below a, at the middle of a. */
const below = (a: TextBand, b: TextBand) => b.middleY - b.slope * (b.middleX - a.middleX) - a.middleY

/** Finds pairs and triples of bands arranged like the lines of a zone. */
function groupBands(bands: readonly TextBand[], width: number): TextBand[][] {
  const alike = (a: TextBand, b: TextBand) =>
    Math.abs(a.width - b.width) / a.width < 0.12 && Math.abs(a.left - b.left) < width * 0.05
  return bands.flatMap((a, index) =>
    bands.slice(index + 1).flatMap((b, offset) => {
      const distance = below(a, b)
      const isPair =
        alike(a, b) && Math.abs(a.slope - b.slope) < 0.02 && distance > a.height && distance < a.width / 8
      if (!isPair) return []
      const third = bands
        .slice(index + offset + 2)
        .find((c) => alike(a, c) && Math.abs(below(b, c) - distance) < distance * 0.3)
      return [third ? [a, b, third] : [a, b]]
    }),
  )
}
