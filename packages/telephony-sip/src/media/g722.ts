import { G722Band, HIGHER_BAND, LOWER_BAND, saturate } from './g722-band.ts'
import { HIGHER_STEPS, LOWER_STEPS, Q6, QM2, QM4, QM6, QMF } from './g722-tables.ts'

/** Sample rate of G.722. Two samples are one byte. */
export const G722_RATE_HZ = 16_000

/** Encodes 16-bit samples at 16 kHz, two to a byte. */
export interface G722Encoder {
  /** @param into at least half as long as the samples, whose count is even */
  encode(samples: Int16Array, into: Uint8Array): void
}

/** Decodes bytes to 16-bit samples at 16 kHz, two from a byte. */
export interface G722Decoder {
  /** @param into at least twice as long as the bytes */
  decode(bytes: Uint8Array, into: Int16Array): void
}

const TAPS = QMF.length

/** The last 24 samples in pairs, for both quadrature mirror filters. */
class MirrorFilter {
  /** Sum of the first samples of the pairs, and of the second ones. */
  firstSum = 0
  secondSum = 0
  /** Each sample is stored twice, `TAPS` apart, so that the last ones adjoin wherever the oldest is, and none is moved. */
  readonly #first = new Int32Array(2 * TAPS)
  readonly #second = new Int32Array(2 * TAPS)
  #oldest = 0

  push(first: number, second: number): void {
    const firsts = this.#first
    const seconds = this.#second
    const place = this.#oldest
    firsts[place] = first
    firsts[place + TAPS] = first
    seconds[place] = second
    seconds[place + TAPS] = second
    const oldest = place + 1 === TAPS ? 0 : place + 1
    this.#oldest = oldest
    let firstSum = 0
    let secondSum = 0
    for (let tap = 0; tap < TAPS; tap++) {
      firstSum += (firsts[oldest + tap] ?? 0) * (QMF[tap] ?? 0)
      secondSum += (seconds[oldest + tap] ?? 0) * (QMF[TAPS - 1 - tap] ?? 0)
    }
    this.firstSum = firstSum
    this.secondSum = secondSum
  }
}

/** Magnitude with which the quantizers compare: of a negative difference its one's complement. */
const magnitudeOf = (difference: number): number => (difference < 0 ? ~difference : difference)

/** Counts the decision levels that a magnitude reaches. Halves the table, because they ascend. */
function levelsWithin(magnitude: number, scale: number): number {
  let reached = 0
  let end = Q6.length
  while (reached < end) {
    const middle = (reached + end) >> 1
    if (magnitude >= ((Q6[middle] ?? 0) * scale) >> 12) reached = middle + 1
    else end = middle
  }
  return reached
}

/** Quantizes a difference to 6 bits (QUANTL). */
function quantizeLower(difference: number, scale: number): number {
  const magnitude = magnitudeOf(difference)
  const level = levelsWithin(magnitude, scale)
  // Codes descend from 61 for positive differences. Negative ones use 63, 62, and then 31 downwards.
  if (difference >= 0) return 61 - level
  return level < 2 ? 63 - level : 33 - level
}

/** Decision level of the higher band (QUANTH). */
const HIGHER_LEVEL = 564

/** Quantizes a difference to 2 bits (QUANTH). */
function quantizeHigher(difference: number, scale: number): number {
  const isLarge = magnitudeOf(difference) >= (HIGHER_LEVEL * scale) >> 12
  if (difference < 0) return isLarge ? 0 : 1
  return isLarge ? 2 : 3
}

/** Adapts the lower band to the upper four bits of its code (INVQAL), because the network may use the others for data. */
function adaptLower(band: G722Band, code: number): void {
  const coarse = code >> 2
  band.adapt((band.scale * (QM4[coarse] ?? 0)) >> 15, LOWER_STEPS[coarse] ?? 0)
}

const differenceOfHigher = (band: G722Band, code: number): number => (band.scale * (QM2[code] ?? 0)) >> 15

/** Creates an encoder of ITU-T G.722 at 64 kbit/s. */
export function createG722Encoder(): G722Encoder {
  const filter = new MirrorFilter()
  const lower = new G722Band(LOWER_BAND)
  const higher = new G722Band(HIGHER_BAND)
  return {
    encode(samples, into) {
      for (let index = 0; index + 1 < samples.length; index += 2) {
        filter.push(samples[index] ?? 0, samples[index + 1] ?? 0)
        const { firstSum, secondSum } = filter
        const low = saturate(((firstSum + secondSum) >> 14) - lower.prediction)
        const lowCode = quantizeLower(low, lower.scale)
        adaptLower(lower, lowCode)
        const high = saturate(((secondSum - firstSum) >> 14) - higher.prediction)
        const highCode = quantizeHigher(high, higher.scale)
        higher.adapt(differenceOfHigher(higher, highCode), HIGHER_STEPS[highCode] ?? 0)
        into[index >> 1] = (highCode << 6) | lowCode
      }
    },
  }
}

/** Limits a decoded sample to 15 bits (LIMIT). */
const limit = (value: number): number => Math.min(16_383, Math.max(-16_384, value))

/** Creates a decoder of ITU-T G.722 at 64 kbit/s. */
export function createG722Decoder(): G722Decoder {
  const filter = new MirrorFilter()
  const lower = new G722Band(LOWER_BAND)
  const higher = new G722Band(HIGHER_BAND)
  return {
    decode(bytes, into) {
      for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index] ?? 0
        const lowCode = byte & 0x3f
        const highCode = byte >> 6
        const low = limit(lower.prediction + ((lower.scale * (QM6[lowCode] ?? 0)) >> 15))
        adaptLower(lower, lowCode)
        const difference = differenceOfHigher(higher, highCode)
        const high = limit(higher.prediction + difference)
        higher.adapt(difference, HIGHER_STEPS[highCode] ?? 0)
        filter.push(low + high, low - high)
        const { firstSum, secondSum } = filter
        into[2 * index] = saturate(secondSum >> 11)
        into[2 * index + 1] = saturate(firstSum >> 11)
      }
    },
  }
}
