/** Level and spectrum of background noise. */
export interface NoiseDescription {
  /**
   * Level relative to overload, from -127 to 0. Overload is a full-scale square wave, so a full-scale sine is at -3.01
   * dBov.
   */
  levelDbov: number
  /** Reflection coefficients of an all-pole filter, each between -1 and 1; none for white noise. */
  reflection: readonly number[]
}

/** Generates endless noise. */
export interface ComfortNoise {
  /** Fills all of `into` with the next samples of noise and returns it; allocates nothing. */
  read<Samples extends Int16Array>(into: Samples): Samples
  /** Changes the noise from the next sample on. The filter keeps its state, so nothing clicks. */
  set(description: NoiseDescription): void
}

const MAX_LEVEL_DB = 127
/** The index of a coefficient of 0, and the step between coefficients (RFC 3389, section 3.2). */
const ZERO_INDEX = 127
const STEP = 258 / 32_768
const MAX_INDEX = 254

/**
 * Parses the payload of a comfort noise packet (RFC 3389, section 3): the level, then one byte per reflection coefficient.
 * The reserved index 255 means 0.
 *
 * @throws RangeError if the payload is empty
 * @example
 * console.log(parseComfortNoise(Uint8Array.of(60, 127))) // { levelDbov: -60, reflection: [0] }
 */
export function parseComfortNoise(payload: Uint8Array): NoiseDescription {
  const [level, ...indices] = payload
  if (level === undefined)
    throw new RangeError('A comfort noise payload must have at least a byte for its level')
  return {
    // The standard requires the first bit to be 0 and to be ignored. Subtract from 0, because `-level` could be -0.
    levelDbov: 0 - (level & MAX_LEVEL_DB),
    reflection: indices.map((index) => (index > MAX_INDEX ? 0 : STEP * (index - ZERO_INDEX))),
  }
}

/**
 * Formats the payload of a comfort noise packet (RFC 3389, section 3). Values are rounded to the format's precision.
 *
 * @throws RangeError if the level is above 0, or a coefficient is not between -1 and 1
 * @example
 * console.log(formatComfortNoise({ levelDbov: -60, reflection: [-0.5] })) // Uint8Array [60, 63]
 */
export function formatComfortNoise(description: NoiseDescription): Uint8Array<ArrayBuffer> {
  assertNoise(description)
  const level = Math.min(MAX_LEVEL_DB, Math.round(-description.levelDbov))
  const toIndex = (k: number) => Math.min(MAX_INDEX, Math.max(0, Math.round(k / STEP) + ZERO_INDEX))
  return Uint8Array.of(level, ...description.reflection.map(toIndex))
}

/**
 * Describes the noise in samples, using their autocorrelation and the Levinson-Durbin recursion. At 8 kHz, 100 ms of
 * background noise and an order from 4 to 10 are enough.
 *
 * @throws RangeError if the order is not a whole number from 0 to 127
 * @example
 * console.log(describeNoise(new Int16Array(800), { order: 2 })) // { levelDbov: -127, reflection: [0, 0] }
 */
export function describeNoise(samples: Int16Array, options: { order: number }): NoiseDescription {
  const { order } = options
  if (!Number.isInteger(order) || order < 0 || order > 127)
    throw new RangeError('The order of a filter must be a whole number from 0 to 127')
  const correlation = Float64Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0
    for (let n = lag; n < samples.length; n++) sum += (samples[n] ?? 0) * (samples[n - lag] ?? 0)
    return sum
  })
  const energy = correlation[0] ?? 0
  const level = 10 * Math.log10(energy / (samples.length || 1)) - 20 * Math.log10(32_768)
  return { levelDbov: Math.max(-MAX_LEVEL_DB, Math.min(0, level)), reflection: reflectionOf(correlation) }
}

function reflectionOf(correlation: Float64Array): number[] {
  const order = correlation.length - 1
  const reflection = Array.from({ length: order }, () => 0)
  let error = correlation[0] ?? 0
  let filter = Float64Array.of(1)
  for (let stage = 1; stage <= order && error > 0; stage++) {
    let sum = 0
    for (let tap = 0; tap < stage; tap++) sum += (filter[tap] ?? 0) * (correlation[stage - tap] ?? 0)
    const k = -sum / error
    // A pure tone is predicted without error, so rounding may push |k| to 1, and the filter would ring forever.
    if (!(Math.abs(k) < 1)) break
    reflection[stage - 1] = k
    const previous = filter
    filter = Float64Array.from(
      { length: stage + 1 },
      (_, tap) => (previous[tap] ?? 0) + k * (previous[stage - tap] ?? 0),
    )
    error *= 1 - k * k
  }
  return reflection
}

/**
 * Creates comfort noise: white noise through an all-pole lattice filter, with the requested level for any filter (RFC
 * 3389). The sign of the coefficients is that of A(z) = 1 + k z^-1, so low-frequency noise has a negative first one. A seed
 * always gives the same noise, on every machine and for any chunk boundaries.
 *
 * @param options.seed any number; 1 by default
 * @throws RangeError if the level is not a number up to 0, or a coefficient is not between -1 and 1
 * @example
 * const noise = createComfortNoise({ levelDbov: -60, reflection: [-0.5] })
 * console.log(noise.read(new Int16Array(160)).length) // 160
 */
export function createComfortNoise(options: NoiseDescription & { seed?: number }): ComfortNoise {
  let reflection = new Float64Array(0)
  /** Backward outputs of the lattice stages for the previous sample. */
  let backward = new Float64Array(1)
  let amplitude = 0
  // An odd factor keeps seeds distinct and spreads small ones over all bits. A state of 0 would stay 0.
  let state = Math.imul(Math.trunc(options.seed ?? 1), 0x9e_37_79_b1) || 1

  function set(description: NoiseDescription): void {
    assertNoise(description)
    reflection = Float64Array.from(description.reflection)
    const kept = backward
    backward = Float64Array.from({ length: reflection.length + 1 }, (_, stage) => kept[stage] ?? 0)
    const gain = reflection.reduce((product, k) => product * (1 - k * k), 1)
    // Uniform noise within ±a has a power of a²/3; the filter's power gain is 1 / Π(1 - k²).
    amplitude = 32_768 * 10 ** (description.levelDbov / 20) * Math.sqrt(3 * gain)
  }
  set(options)

  return {
    set,
    read(into) {
      const order = reflection.length
      for (let index = 0; index < into.length; index++) {
        // Xorshift, Marsaglia 2003: period 2^32 - 1.
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        let forward = amplitude * (state / 0x80_00_00_00)
        for (let stage = order; stage > 0; stage--) {
          const k = reflection[stage - 1] ?? 0
          const before = backward[stage - 1] ?? 0
          forward -= k * before
          backward[stage] = before + k * forward
        }
        backward[0] = forward
        into[index] = Math.max(-32_768, Math.min(32_767, Math.round(forward)))
      }
      return into
    },
  }
}

function assertNoise({ levelDbov, reflection }: NoiseDescription): void {
  if (!(levelDbov <= 0)) throw new RangeError('A level of noise must be a number of dBov, at most 0')
  if (!reflection.every((k) => Math.abs(k) < 1))
    throw new RangeError('Reflection coefficients must be between -1 and 1')
}
