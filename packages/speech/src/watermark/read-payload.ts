import { chanceOf } from './false-alarm.ts'
import { cellsAt, type Fold } from './fold.ts'
import type { Pattern } from './pattern.ts'
import { CODED_BITS, decodePayload, encodePayload } from './payload-code.ts'

/** Random cells agree with one of 2^32 payloads so well in one of 10^4 recordings. */
const MAX_CHANCE = 1e-4 / 2 ** 32

export interface Reading {
  payload: number
  codedBitErrorRate: number
}

/** Reads the payload of a pattern that starts at an offset, if the check agrees, and if its cells agree better than chance. */
export function readPayload(options: { pattern: Pattern; fold: Fold; offset: number }): Reading | undefined {
  const { pattern, fold, offset } = options
  const deviations = cellsAt(fold, offset)
  const { cells, signs, codedBits } = pattern.payload
  const soft = new Float64Array(CODED_BITS)
  let squares = 0
  for (const [index, cell] of cells.entries()) {
    const bit = codedBits[index] ?? 0
    const deviation = deviations[cell] ?? 0
    soft[bit] = (soft[bit] ?? 0) + deviation * (signs[index] ?? 0)
    squares += deviation ** 2
  }
  const payload = decodePayload(soft)
  if (payload === undefined) return undefined
  const encoded = encodePayload(payload)
  const agreements = soft.map((value, bit) => value * (encoded[bit] ?? 0))
  const agreement = agreements.reduce((sum, value) => sum + value, 0)
  if (chanceOf(agreement / Math.sqrt(squares)) > MAX_CHANCE) return undefined
  return { payload, codedBitErrorRate: agreements.filter((value) => value < 0).length / CODED_BITS }
}
