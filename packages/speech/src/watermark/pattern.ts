import { chacha20Words } from './chacha20.ts'
import { CODED_BITS, encodePayload } from './payload-code.ts'

/**
 * The pattern is a grid of cells that repeats every 2.048 s: rows of 32 ms, each with 60 bands of 130 Hz from 170 to 7970 Hz. The
 * key gives each cell a sign, and the mark makes the cell a little louder or softer. Finer cells carry more but smear into each
 * other; these were the best of those tried on the languages for tuning (docs/decisions/0031-watermark.md).
 */
export const ROW_COUNT = 64
export const ROW_SECONDS = 0.032
export const BAND_COUNT = 60
export const BAND_HZ = 130
export const LOWEST_HZ = 170
export const CELL_COUNT = ROW_COUNT * BAND_COUNT

/** Cells that show that there is a mark. The others carry the payload. */
const PRESENCE_CELLS = Math.round(CELL_COUNT * 0.6)
/** Another version of the pattern must have another number, so that the same key gives independent signs. */
const PATTERN_VERSION = 1

/** A cell is `row * BAND_COUNT + band`. */
export interface Pattern {
  /** The cells with a sign that depends on the key only. */
  readonly presence: { readonly cells: Uint16Array; readonly signs: Int8Array }
  /** The cells with a sign that is multiplied with a coded bit, and the number of that bit. */
  readonly payload: {
    readonly cells: Uint16Array
    readonly signs: Int8Array
    readonly codedBits: Uint8Array
  }
}

/** Derives the pattern of a key of 32 bytes. */
export function createPattern(key: Uint8Array): Pattern {
  const words = chacha20Words({ key, nonce: [PATTERN_VERSION, 0, 0], count: CELL_COUNT + CELL_COUNT / 32 })
  // Fisher and Yates; the modulo's bias is below 2^-20.
  const order = Uint16Array.from({ length: CELL_COUNT }, (_, index) => index)
  for (let index = CELL_COUNT - 1; index > 0; index--) {
    const other = (words[index] ?? 0) % (index + 1)
    const kept = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = kept
  }
  const signOf = (cell: number): number =>
    ((words[CELL_COUNT + (cell >> 5)] ?? 0) >>> (cell & 31)) & 1 ? 1 : -1
  const presence = order.slice(0, PRESENCE_CELLS).toSorted()
  const payload = order.slice(PRESENCE_CELLS)
  return {
    presence: { cells: presence, signs: Int8Array.from(presence, signOf) },
    payload: {
      cells: payload,
      signs: Int8Array.from(payload, signOf),
      codedBits: Uint8Array.from(payload, (_, index) => index % CODED_BITS),
    },
  }
}

/** Returns the sign of each cell for a payload, 1 for louder and -1 for softer. */
export function signsOf(pattern: Pattern, payload: number): Int8Array {
  const signs = new Int8Array(CELL_COUNT)
  for (const [index, cell] of pattern.presence.cells.entries())
    signs[cell] = pattern.presence.signs[index] ?? 0
  const coded = encodePayload(payload)
  for (const [index, cell] of pattern.payload.cells.entries())
    signs[cell] = (pattern.payload.signs[index] ?? 0) * (coded[pattern.payload.codedBits[index] ?? 0] ?? 0)
  return signs
}
