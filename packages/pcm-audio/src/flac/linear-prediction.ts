/** Bits of a coefficient. With these, a sum of 12 products with 16-bit samples fits into 32 bits. */
export const COEFFICIENT_BITS = 12
const MAX_COEFFICIENT = 2 ** (COEFFICIENT_BITS - 1) - 1
/** As `flac -5`. More orders save under one percent of speech. */
const MAX_ORDER = 8
/** Bits of the field of the shift that decoders accept, which is not negative. */
const MAX_SHIFT = 15

/** Predicts a sample as the sum of those before it, the latest first, times the coefficients, shifted right. */
export interface Predictor {
  coefficients: readonly number[]
  shift: number
}

/** The fixed predictors by their order: differences of differences (RFC 9639, section 9.2.5). */
export const FIXED_PREDICTORS: readonly Predictor[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]].map(
  (coefficients) => ({ coefficients, shift: 0 }),
)

/** Returns the order of the fixed predictor that leaves the smallest sum of the samples. */
export function bestFixedOrder(samples: Int16Array): number {
  const sums = [0, 0, 0, 0, 0]
  /** The latest difference of each order. */
  const latest = [0, 0, 0, 0, 0]
  for (let index = 0; index < samples.length; index++) {
    let difference = samples[index] ?? 0
    for (let order = 0; order < latest.length; order++) {
      const previous = latest[order] ?? 0
      latest[order] = difference
      // The first samples have no differences of the higher orders.
      if (index >= latest.length) sums[order] = (sums[order] ?? 0) + Math.abs(difference)
      difference -= previous
    }
  }
  return sums.indexOf(Math.min(...sums))
}

/** Returns what a predictor leaves of the samples. The first ones, as many as it has coefficients, are kept as they are. */
export function residualOf(samples: Int16Array, { coefficients, shift }: Predictor): Int32Array {
  const residual = Int32Array.from(samples)
  const weights = Int32Array.from(coefficients)
  for (let index = weights.length; index < samples.length; index++) {
    let sum = 0
    for (let lag = 0; lag < weights.length; lag++)
      sum += (weights[lag] ?? 0) * (samples[index - 1 - lag] ?? 0)
    residual[index] = (samples[index] ?? 0) - (sum >> shift)
  }
  return residual
}

/** Computes the predictor of a block that is likely to need the fewest bits; undefined if the block allows none. */
export function findPredictor(samples: Int16Array): Predictor | undefined {
  const { length } = samples
  if (length <= 2 * MAX_ORDER) return undefined
  const correlation = autocorrelate(samples)
  if ((correlation[0] ?? 0) === 0) return undefined
  let best: { bits: number; weights: readonly number[] } | undefined
  for (const { weights, error } of solve(correlation)) {
    const order = weights.length
    const bitsPerSample = Math.max(0, 0.5 * Math.log2((0.5 * error) / length))
    const bits = bitsPerSample * (length - order) + order * (16 + COEFFICIENT_BITS)
    if (best === undefined || bits < best.bits) best = { bits, weights }
  }
  return best && quantize(best.weights)
}

/** Autocorrelation of the samples in a Welch window, whose smooth edges keep the predictor stable. */
function autocorrelate(samples: Int16Array): Float64Array {
  const half = (samples.length - 1) / 2
  const windowed = Float64Array.from(
    samples,
    (sample, index) => sample * (1 - ((index - half) / (half + 1)) ** 2),
  )
  return Float64Array.from({ length: MAX_ORDER + 1 }, (_, lag) => {
    let sum = 0
    for (let index = lag; index < windowed.length; index++)
      sum += (windowed[index] ?? 0) * (windowed[index - lag] ?? 0)
    return sum
  })
}

/** Solves for the coefficients of each order in turn (Levinson and Durbin). */
function* solve(correlation: Float64Array): Generator<{ weights: readonly number[]; error: number }> {
  let weights: readonly number[] = []
  let error = correlation[0] ?? 0
  for (let order = 1; order <= MAX_ORDER; order++) {
    const previous = weights
    const correction = previous.reduce(
      (sum, weight, at) => sum - weight * (correlation[order - 1 - at] ?? 0),
      0,
    )
    const reflection = ((correlation[order] ?? 0) + correction) / error
    weights = [
      ...previous.map((weight, at) => weight - reflection * (previous[order - 2 - at] ?? 0)),
      reflection,
    ]
    error *= 1 - reflection ** 2
    // A signal that is predicted exactly leaves nothing for a higher order, and rounding makes it negative.
    if (!(error > 0)) return
    yield { weights, error }
  }
}

/** Rounds coefficients to integers; the rounding error of each is carried to the next. Undefined if they are too large. */
function quantize(weights: readonly number[]): Predictor | undefined {
  const largest = Math.max(...weights.map(Math.abs))
  if (!(largest > 0)) return undefined
  const shift = Math.min(MAX_SHIFT, COEFFICIENT_BITS - 2 - Math.floor(Math.log2(largest)))
  if (shift < 0) return undefined
  let carried = 0
  const coefficients = weights.map((weight) => {
    carried += weight * 2 ** shift
    const rounded = Math.max(-MAX_COEFFICIENT, Math.min(MAX_COEFFICIENT, Math.round(carried)))
    carried -= rounded
    return rounded
  })
  return { coefficients, shift }
}
