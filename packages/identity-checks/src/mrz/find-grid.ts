import type { GreyImage } from '../image/open-image.ts'

/** Geometry of a line in the picture. */
export interface LinePlace {
  readonly left: number
  readonly right: number
  readonly middleX: number
  readonly middleY: number
  readonly slope: number
}

/** Where the characters of a line stand. */
export interface Grid {
  readonly left: number
  readonly width: number
  /** Pitch at the right end by that in the middle, which is not 1 where the line leads away from the camera. */
  readonly growth: number
  readonly middleY: number
  readonly slope: number
}

/** Places per character in the profile of a line. */
const SAMPLES = 6
/** Height of the part of a line where letters have ink, relative to the pitch. */
const INK_HEIGHT = 0.9
const ROWS = 9
/** Moves of the ends of a line from where it was located, in characters. */
const MOVES = Array.from({ length: 19 }, (_, index) => (index - 9) * 0.15)
/** Growths of up to a keystone of about 12 percent, the smallest first. */
export const GROWTHS: readonly number[] = [1, 1.03, 0.97, 1.06, 0.94, 1.09, 0.915, 1.12, 0.89]
/** Characters by which two grids differ at least, on average. */
const DIFFERENT = 0.15

/** Returns the place of a share of a line's width, and its pitch by the mean pitch, in perspective. */
export function placeAt(share: number, growth: number): { share: number; pitch: number } {
  const distance = share + growth * (1 - share)
  return { share: share / distance, pitch: growth / distance ** 2 }
}

/**
 * Finds grids on which the gaps between characters have the least ink, the best first. This needs no reading, so that it can try
 * thousands. It moves the ends of the line by at most `reach` characters.
 */
export function findGrids(
  image: GreyImage,
  {
    place,
    length,
    growths,
    reach,
    most,
  }: { place: LinePlace; length: number; growths: readonly number[]; reach: number; most: number },
): Grid[] {
  const pitch = (place.right - place.left) / length
  const margin = 2
  const count = (length + 2 * margin) * SAMPLES
  const ink = flatten(readInk(image, { place, pitch, start: place.left - margin * pitch, count }))
  const inkAt = (characters: number) => ink[Math.round((characters + margin) * SAMPLES)] ?? 0
  const moves = MOVES.filter((move) => Math.abs(move) <= reach)
  const found: { score: number; edges: readonly number[]; grid: Grid }[] = []
  for (const growth of growths) {
    const edges = Array.from(
      { length: length * 2 + 1 },
      (_, index) => placeAt(index / 2 / length, growth).share,
    )
    for (const from of moves)
      for (const to of moves) {
        const width = length + to - from
        let score = 0
        for (let index = 0; index < edges.length; index++) {
          const at = from + (edges[index] ?? 0) * width
          // Most characters have ink at a quarter of their width on either side of the middle.
          score += index % 2 === 0 ? -inkAt(at) : 0.5 * (inkAt(at - 0.2) + inkAt(at + 0.2))
        }
        found.push({
          score,
          edges: [from, from + (edges[length] ?? 0) * width, from + width],
          grid: {
            left: place.left + from * pitch,
            width: width * pitch,
            growth,
            middleY: place.middleY,
            slope: place.slope,
          },
        })
      }
  }
  const chosen: typeof found = []
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    const isNew = chosen.every(
      ({ edges }) =>
        edges.reduce((sum, edge, index) => sum + Math.abs(edge - (one.edges[index] ?? 0)), 0) / 3 > DIFFERENT,
    )
    if (isNew) chosen.push(one)
    if (chosen.length === most) break
  }
  return chosen.map(({ grid }) => grid)
}

/** Measures the darkness of columns of a line. */
function readInk(
  { data, width, height }: GreyImage,
  { place, pitch, start, count }: { place: LinePlace; pitch: number; start: number; count: number },
): Float32Array {
  const ink = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const x = start + (index * pitch) / SAMPLES
    const y = place.middleY + place.slope * (x - place.middleX)
    let sum = 0
    for (let row = 0; row < ROWS; row++) {
      const dy = (row / (ROWS - 1) - 0.5) * INK_HEIGHT * pitch
      const column = Math.min(width - 1, Math.max(0, Math.round(x - dy * place.slope)))
      const line = Math.min(height - 1, Math.max(0, Math.round(y + dy)))
      sum += 255 - (data[line * width + column] ?? 255)
    }
    ink[index] = sum / ROWS
  }
  return ink
}

/** Subtracts what changes slowly, such as a shadow, and divides by how much is left, so that all parts count the same. */
function flatten(ink: Float32Array): Float32Array {
  const reach = SAMPLES * 2
  const around = (values: Float32Array, index: number) => {
    const part = values.subarray(Math.max(0, index - reach), index + reach + 1)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  }
  const changes = ink.map((value, index) => value - around(ink, index))
  const sizes = changes.map((value) => Math.abs(value))
  return changes.map((value, index) => value / (around(sizes, index) + 2))
}
