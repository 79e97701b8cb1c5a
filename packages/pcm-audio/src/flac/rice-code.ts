import type { BitWriter } from './bit-writer.ts'

/** Largest parameter of four bits; 15 marks a partition without a code. */
const MAX_PARAMETER = 14
const PARAMETER_BITS = 4
/** Partitions of fewer samples do not pay for their parameters. */
const MIN_PARTITION_SAMPLES = 16
/** Limit of the streamable subset (RFC 9639, section 7). */
const MAX_PARTITION_ORDER = 8

/** How the residual of a subframe is coded: one Rice parameter for each of 2^order partitions. */
export interface RicePartitions {
  order: number
  parameters: readonly number[]
  /** Upper bound of the bits of the coded residual. */
  bits: number
}

/** Maps integers to numbers from 0 up, the ones closest to zero first. */
const fold = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0

/**
 * Chooses the partitions that need the fewest bits.
 *
 * @param residual of a block; its first `warmUp` values are not coded, and do not count in the first partition
 */
export function chooseRicePartitions(residual: Int32Array, warmUp: number): RicePartitions {
  const { length } = residual
  let order = 0
  while (
    order < MAX_PARTITION_ORDER &&
    length % 2 ** (order + 1) === 0 &&
    length >> (order + 1) >= Math.max(MIN_PARTITION_SAMPLES, warmUp + 1)
  )
    order++
  let sums = sumPartitions(residual, { warmUp, count: 2 ** order })
  let best = chooseParameters(sums, { length, warmUp, order })
  while (order > 0) {
    order--
    sums = Array.from({ length: 2 ** order }, (_, at) => (sums[2 * at] ?? 0) + (sums[2 * at + 1] ?? 0))
    const wider = chooseParameters(sums, { length, warmUp, order })
    if (wider.bits <= best.bits) best = wider
  }
  return best
}

function sumPartitions(
  residual: Int32Array,
  { warmUp, count }: { warmUp: number; count: number },
): readonly number[] {
  const size = residual.length / count
  return Array.from({ length: count }, (_, at) => {
    let sum = 0
    for (let index = at === 0 ? warmUp : at * size; index < (at + 1) * size; index++)
      sum += fold(residual[index] ?? 0)
    return sum
  })
}

function chooseParameters(
  sums: readonly number[],
  { length, warmUp, order }: { length: number; warmUp: number; order: number },
): RicePartitions {
  const size = length / sums.length
  let bits = 2 + PARAMETER_BITS
  const parameters = sums.map((sum, at) => {
    const samples = at === 0 ? size - warmUp : size
    // Quotients of the sum are at least the sum of the quotients, which are rounded down.
    const bitsOf = (parameter: number) => samples * (1 + parameter) + Math.floor(sum / 2 ** parameter)
    let best = 0
    while (best < MAX_PARAMETER && bitsOf(best + 1) < bitsOf(best)) best++
    bits += PARAMETER_BITS + bitsOf(best)
    return best
  })
  return { order, parameters, bits }
}

/** Writes a residual in its partitions (RFC 9639, section 9.2.7). */
export function writeRiceCode(
  writer: BitWriter,
  residual: Int32Array,
  { warmUp, partitions }: { warmUp: number; partitions: RicePartitions },
): void {
  const { order, parameters } = partitions
  const size = residual.length / parameters.length
  writer.write(0, 2)
  writer.write(order, 4)
  for (const [at, parameter] of parameters.entries()) {
    writer.write(parameter, PARAMETER_BITS)
    for (let index = at === 0 ? warmUp : at * size; index < (at + 1) * size; index++)
      writer.writeRice(fold(residual[index] ?? 0), parameter)
  }
}
