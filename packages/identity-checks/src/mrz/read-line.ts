import type { GreyImage } from '../image/open-image.ts'
import type { Corners } from '../image/turn.ts'
import { findGrids, type Grid, type LinePlace, placeAt } from './find-grid.ts'
import { CELL_HEIGHT, CELL_SIZE, CELL_WIDTH, normalizeCell } from './glyphs.ts'
import { type Choice, likeliest } from './grammar.ts'

export interface LineReading {
  /** Likelihood of each character, for each position of the line. */
  readonly cells: readonly Float32Array[]
  /** Mean log-likelihood of the likeliest allowed characters; 0 is certain. */
  readonly certainty: number
  readonly grid: Grid
  /** Of the whole line, in the pixels of the picture. */
  readonly corners: Corners
}

/** Height of a cell relative to its width, for OCR-B at a pitch of 10 characters per inch. */
const ASPECT = 88 / 60
/** The least likelihood of a character, so that one that cannot be read does not decide where a line is. */
const FLOOR = 0.02
const GRIDS = 8
const ROUNDS = 4
/** Offsets from the located line, relative to its pitch, the likeliest first. */
const SHIFTS_Y = [0, 0.15, -0.15, 0.3, -0.3]

interface GridReading {
  readonly grid: Grid
  readonly cells: readonly Float32Array[]
  /** Sum of the log-likelihoods of the likeliest characters. */
  readonly sum: number
}

/** A possible line in this font, of which a sample of cells was read. */
export interface LineGlimpse {
  /** Mean log-likelihood of the sample. */
  readonly certainty: number
  /** Reads all cells, on the grid that gives the highest certainty. */
  read(): LineReading
}

/** Looks for a line of fixed-width characters by a sample of about 11 of them. Returns null if there is none. */
export function glimpseLine(options: {
  image: GreyImage
  place: LinePlace
  /** Characters allowed in each column. */
  choices: readonly (readonly Choice[])[]
  /** Growths of the pitch along the line to try. */
  growths: readonly number[]
  /** Characters by which the ends of the line may be elsewhere. */
  reach: number
  /** Mean log-likelihood of the likeliest allowed characters below which there is no line. */
  least: number
  classify: (cell: Float32Array) => Float32Array
}): LineGlimpse | null {
  const { image, place, choices, growths, reach, least, classify } = options
  const { length } = choices
  const readCell = (grid: Grid, column: number): Float32Array => {
    const { share, pitch } = placeAt((column + 0.5) / length, grid.growth)
    const x = grid.left + grid.width * share
    const y = grid.middleY + grid.slope * (x - place.middleX)
    const mean = grid.width / length
    // The height shrinks with the distance, and the pitch with its square.
    const size = { width: mean * pitch, height: mean * ASPECT * Math.sqrt(pitch) }
    return classify(cutCell(image, { x, y, ...size, slope: grid.slope }))
  }
  /** Reads cells on a grid. Returns null as soon as the sum falls to `lowest`, because further cells only lower it. */
  function readOn(grid: Grid, columns: readonly number[], lowest: number): GridReading | null {
    const cells: Float32Array[] = []
    let sum = 0
    for (const column of columns) {
      if (sum <= lowest) return null
      const cell = readCell(grid, column)
      cells.push(cell)
      sum += Math.log(Math.max(likeliest(cell, choices[column] ?? []).likelihood, FLOOR))
    }
    return sum <= lowest ? null : { grid, cells, sum }
  }

  const all = Array.from({ length }, (_, column) => column)
  const stride = Math.max(1, Math.round(length / 11))
  const columns = [...all.filter((column) => column % stride === 0), length - 1]
  let coarse: GridReading | null = null
  for (const grid of findGrids(image, { place, length, growths, reach, most: GRIDS }))
    for (const shift of SHIFTS_Y) {
      const moved = { ...grid, middleY: grid.middleY + (shift * grid.width) / length }
      const better: GridReading | null = readOn(moved, columns, coarse?.sum ?? least * columns.length)
      coarse = better ?? coarse
    }
  if (coarse === null) return null
  const { grid, sum } = coarse
  return {
    certainty: sum / columns.length,
    read() {
      const reading = refine(grid, length, (moved, lowest) => readOn(moved, all, lowest))
      const corners = cornersOfLine(reading.grid, place, length)
      return { cells: reading.cells, certainty: reading.sum / length, grid: reading.grid, corners }
    },
  }
}

function cornersOfLine(
  { left, width, growth, middleY, slope }: Grid,
  place: LinePlace,
  length: number,
): Corners {
  const cos = 1 / Math.hypot(1, slope)
  const corner = (share: number, side: -1 | 1) => {
    const x = left + width * share
    const half = ((width / length) * ASPECT * Math.sqrt(placeAt(share, growth).pitch)) / 2
    return {
      x: x - side * half * slope * cos,
      y: middleY + slope * (x - place.middleX) + side * half * cos,
    }
  }
  return [corner(0, -1), corner(1, -1), corner(1, 1), corner(0, 1)]
}

/** Adjusts a grid in ever smaller steps to maximize the certainty of its cells. */
function refine(
  start: Grid,
  length: number,
  readOn: (grid: Grid, least: number) => GridReading | null,
): GridReading {
  let best = readOn(start, Number.NEGATIVE_INFINITY) ?? {
    grid: start,
    cells: [],
    sum: Number.NEGATIVE_INFINITY,
  }
  for (let round = 0, step = 0.12; round < ROUNDS; round++, step /= 1.7)
    for (const sign of [1, -1])
      for (const move of REFINEMENTS) best = readOn(move(best.grid, (sign * step) / length), best.sum) ?? best
  return best
}

/** Moves of a grid by a share of its width, or by as much at its ends. */
const REFINEMENTS: readonly ((grid: Grid, share: number) => Grid)[] = [
  (grid, share) => ({ ...grid, left: grid.left + share * grid.width }),
  (grid, share) => ({
    ...grid,
    left: grid.left - share * grid.width,
    width: grid.width * (1 + 2 * share),
  }),
  (grid, share) => ({ ...grid, middleY: grid.middleY + share * grid.width }),
  (grid, share) => ({ ...grid, growth: grid.growth * (1 + 4 * share) }),
  (grid, share) => ({ ...grid, slope: grid.slope + 2 * share }),
]

/** Cuts out the cell around a point, rotated with its line. It is valid until the next call. */
function cutCell(
  image: GreyImage,
  cut: { x: number; y: number; width: number; height: number; slope: number },
): Float32Array {
  const { x: centreX, y: centreY, slope } = cut
  const cos = 1 / Math.hypot(1, slope)
  const sin = slope * cos
  const stepX = cut.width / CELL_WIDTH
  const stepY = cut.height / CELL_HEIGHT
  const offsets = stepX > 1.5 ? [-0.25, 0.25] : [0]
  for (let y = 0; y < CELL_HEIGHT; y++)
    for (let x = 0; x < CELL_WIDTH; x++) {
      let sum = 0
      for (const offsetX of offsets)
        for (const offsetY of offsets) {
          const dx = (x - (CELL_WIDTH - 1) / 2 + offsetX) * stepX
          const dy = (y - (CELL_HEIGHT - 1) / 2 + offsetY) * stepY
          sum += sampleAt(image, centreX + dx * cos - dy * sin, centreY + dx * sin + dy * cos)
        }
      cutOut[y * CELL_WIDTH + x] = sum / offsets.length ** 2
    }
  return normalizeCell(cutOut)
}

const cutOut = new Float32Array(CELL_SIZE)

/** Samples bilinearly, clamping to the edges. */
export function sampleAt({ data, width, height }: GreyImage, x: number, y: number): number {
  const clampedX = Math.min(Math.max(x, 0), width - 1.01)
  const clampedY = Math.min(Math.max(y, 0), height - 1.01)
  const column = Math.floor(clampedX)
  const row = Math.floor(clampedY)
  const shareX = clampedX - column
  const shareY = clampedY - row
  const at = row * width + column
  const top = (data[at] ?? 0) * (1 - shareX) + (data[at + 1] ?? 0) * shareX
  const bottom = (data[at + width] ?? 0) * (1 - shareX) + (data[at + width + 1] ?? 0) * shareX
  return top * (1 - shareY) + bottom * shareY
}
