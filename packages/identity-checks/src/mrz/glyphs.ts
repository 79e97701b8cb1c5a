import type { GlyphWeights } from './glyph-weights.ts'
import { OCR_B_WEIGHTS } from './ocr-b-weights.ts'

/** All characters of a machine-readable zone (ICAO Doc 9303, part 3, 4.3). */
export const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<'
/** Size of a glyph in the input of the network. */
export const CELL_WIDTH = 16
export const CELL_HEIGHT = 22
export const CELL_SIZE = CELL_WIDTH * CELL_HEIGHT

function expand(base64: string, scale: number): Float32Array {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return Float32Array.from(new Int8Array(bytes.buffer), (value) => value * scale)
}

/** Creates the classifier of glyphs, which returns the likelihood of each character of the alphabet for a cell. */
export function createGlyphReader(
  weights: GlyphWeights = OCR_B_WEIGHTS,
): (cell: Float32Array) => Float32Array {
  const { hidden: hiddenSize } = weights
  const input = expand(weights.input, weights.inputScale)
  const output = expand(weights.output, weights.outputScale)
  const hidden = new Float32Array(hiddenSize)
  return (cell) => {
    for (let unit = 0; unit < hiddenSize; unit++)
      hidden[unit] = Math.max(0, (weights.inputBias[unit] ?? 0) + dot(input, unit * CELL_SIZE, cell))
    const likelihoods = new Float32Array(ALPHABET.length)
    let highest = Number.NEGATIVE_INFINITY
    for (let character = 0; character < likelihoods.length; character++) {
      likelihoods[character] =
        (weights.outputBias[character] ?? 0) + dot(output, character * hiddenSize, hidden)
      highest = Math.max(highest, likelihoods[character] ?? 0)
    }
    let total = 0
    for (let character = 0; character < likelihoods.length; character++) {
      likelihoods[character] = Math.exp((likelihoods[character] ?? 0) - highest)
      total += likelihoods[character] ?? 0
    }
    for (let character = 0; character < likelihoods.length; character++)
      likelihoods[character] = (likelihoods[character] ?? 0) / total
    return likelihoods
  }
}

/**
 * Computes the dot product of a vector and a row of weights. Keeps four sums, so that additions need not wait for each
 * other.
 */
function dot(weights: Float32Array, row: number, vector: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let index = 0; index < vector.length; index += 4) {
    const at = row + index
    a += (weights[at] ?? 0) * (vector[index] ?? 0)
    b += (weights[at + 1] ?? 0) * (vector[index + 1] ?? 0)
    c += (weights[at + 2] ?? 0) * (vector[index + 2] ?? 0)
    d += (weights[at + 3] ?? 0) * (vector[index + 3] ?? 0)
  }
  return a + b + c + d
}

/** Normalizes a cell in place to a mean of 0 and a deviation of 1, with dark pixels positive. */
export function normalizeCell(cell: Float32Array): Float32Array {
  let mean = 0
  for (const value of cell) mean += value
  mean /= cell.length
  let squares = 0
  for (const value of cell) squares += (value - mean) ** 2
  const deviation = Math.sqrt(squares / cell.length) + 1e-3
  for (let index = 0; index < cell.length; index++) cell[index] = (mean - (cell[index] ?? 0)) / deviation
  return cell
}
