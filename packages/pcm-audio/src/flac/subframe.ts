import type { BitWriter } from './bit-writer.ts'
import {
  bestFixedOrder,
  COEFFICIENT_BITS,
  findPredictor,
  FIXED_PREDICTORS,
  type Predictor,
  residualOf,
} from './linear-prediction.ts'
import { chooseRicePartitions, type RicePartitions, writeRiceCode } from './rice-code.ts'

const BITS_PER_SAMPLE = 16
/** Types of subframes (RFC 9639, section 9.2.1). The orders of predictors are added to theirs. */
const CONSTANT = 0
const VERBATIM = 1
const FIXED = 8
const LINEAR = 31
const SHIFT_BITS = 5

interface Candidate {
  type: number
  predictor: Predictor
  residual: Int32Array
  partitions: RicePartitions
  /** Upper bound of the bits after the header. */
  bits: number
}

/** Writes the block of one channel in whichever way needs the fewest bits. */
export function writeSubframe(writer: BitWriter, samples: Int16Array): void {
  const first = samples[0] ?? 0
  if (samples.every((sample) => sample === first)) {
    writeHeader(writer, CONSTANT)
    writer.write(first, BITS_PER_SAMPLE)
    return
  }
  const best = chooseCandidate(samples)
  if (best === undefined || best.bits >= samples.length * BITS_PER_SAMPLE) {
    writeHeader(writer, VERBATIM)
    for (const sample of samples) writer.write(sample, BITS_PER_SAMPLE)
    return
  }
  const { type, predictor, residual, partitions } = best
  const { coefficients, shift } = predictor
  const warmUp = coefficients.length
  writeHeader(writer, type)
  for (const sample of samples.subarray(0, warmUp)) writer.write(sample, BITS_PER_SAMPLE)
  if (type > LINEAR) {
    writer.write(COEFFICIENT_BITS - 1, 4)
    writer.write(shift, SHIFT_BITS)
    for (const coefficient of coefficients) writer.write(coefficient, COEFFICIENT_BITS)
  }
  writeRiceCode(writer, residual, { warmUp, partitions })
}

/** Writes the type, between a zero and the flag of unused low bits, which are not looked for. */
const writeHeader = (writer: BitWriter, type: number): void => writer.write(type << 1, 8)

function chooseCandidate(samples: Int16Array): Candidate | undefined {
  const order = bestFixedOrder(samples)
  const predictor = FIXED_PREDICTORS[order]
  const fixed = predictor && toCandidate(samples, { type: FIXED + order, predictor })
  const found = findPredictor(samples)
  const linear = found && toCandidate(samples, { type: LINEAR + found.coefficients.length, predictor: found })
  return fixed && linear && fixed.bits > linear.bits ? linear : fixed
}

function toCandidate(samples: Int16Array, kind: { type: number; predictor: Predictor }): Candidate {
  const { type, predictor } = kind
  const warmUp = predictor.coefficients.length
  const residual = residualOf(samples, predictor)
  const partitions = chooseRicePartitions(residual, warmUp)
  const coefficientBits = type > LINEAR ? 4 + SHIFT_BITS + warmUp * COEFFICIENT_BITS : 0
  return {
    type,
    predictor,
    residual,
    partitions,
    bits: warmUp * BITS_PER_SAMPLE + coefficientBits + partitions.bits,
  }
}
