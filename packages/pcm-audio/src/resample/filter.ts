/**
 * Quality and bandwidth of a resampler. `passband` is the share of the narrower Nyquist band in which the level stays
 * within 0.1 dB. `attenuationDb` is the attenuation of aliases and images from the start of the stop band on. It is 2 dB
 * more than promised, because the window's formula is off by 1 dB at the edge.
 */
export const RESAMPLER_PROFILES = {
  /** No aliases above the noise of 16 bits: for listeners and recognizers. */
  standard: { attenuationDb: 102, passband: 0.9, stopband: 1 },
  /** No aliases above the noise of 20 bits: for masters, measurements and music. */
  strict: { attenuationDb: 122, passband: 0.91, stopband: 1 },
  /**
   * Two to three times as fast as `standard`. Sound up to a fifth above the new band folds into its top fifth, at the edge
   * only 7 dB weaker: for level meters and previews.
   */
  'fast-aliasing': { attenuationDb: 82, passband: 0.8, stopband: 1.2 },
} as const
export type ResamplerProfile = keyof typeof RESAMPLER_PROFILES

/** A low-pass filter, split into the phases that a ratio of rates needs. */
export interface PolyphaseFilter {
  /** The rates in lowest terms: `up / down` output samples per input sample. */
  readonly up: number
  readonly down: number
  /** Taps per phase, a multiple of 8, the number that the kernels sum at a time. */
  readonly length: number
  /** The taps phase by phase, in the order of the samples. */
  readonly taps: Float32Array
}

/** 32 MiB of taps: more than any two common rates need, and a bound for hostile ones. */
const MAX_TAPS = 2 ** 23
/** Enough for a few conversions between each of the common rates. */
const MAX_CACHED = 16

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** Computes the modified Bessel function of the first kind, order 0, by its series (Abramowitz and Stegun, 9.6.12). */
function besselI0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-18; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** Designs a Kaiser-windowed sinc, split into phases (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.5.3). */
function designFilter(fromHz: number, toHz: number, profile: ResamplerProfile): PolyphaseFilter {
  const { attenuationDb, passband, stopband } = RESAMPLER_PROFILES[profile]
  const divisor = gcd(fromHz, toHz)
  const up = toHz / divisor
  const down = fromHz / divisor
  const nyquistHz = Math.min(fromHz, toHz) / 2
  const widthRadians = (2 * Math.PI * (stopband - passband) * nyquistHz) / fromHz
  const half = 4 * Math.ceil(((attenuationDb - 7.95) / (2.285 * widthRadians) / 2 + 1) / 4)
  const length = 2 * half
  if (up * length > MAX_TAPS)
    throw new RangeError(
      `A ratio of ${up} to ${down} needs too large a filter: choose rates with a larger common divisor`,
    )
  const beta = 0.1102 * (attenuationDb - 8.7)
  const scale = 1 / besselI0(beta)
  const cutoff = ((passband + stopband) / 2) * (nyquistHz / fromHz)
  const taps = new Float32Array(up * length)
  const row = new Float64Array(length)
  for (let phase = 0; phase < up; phase++) {
    let gain = 0
    for (let index = 0; index < length; index++) {
      const t = phase / up + half - 1 - index
      const window = besselI0(beta * Math.sqrt(Math.max(0, 1 - (t / half) ** 2))) * scale
      const x = 2 * Math.PI * cutoff * t
      const tap = window * (Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x)
      row[index] = tap
      gain += tap
    }
    // Normalize each phase to a gain of one, so that a constant stays constant.
    for (let index = 0; index < length; index++) taps[phase * length + index] = (row[index] ?? 0) / gain
  }
  return { up, down, length, taps }
}

const cache = new Map<string, PolyphaseFilter>()

/** Returns the filter for two rates. The most recent filters are cached. */
export function filterFor(fromHz: number, toHz: number, profile: ResamplerProfile): PolyphaseFilter {
  const id = `${fromHz}:${toHz}:${profile}`
  const filter = cache.get(id) ?? designFilter(fromHz, toHz, profile)
  // Delete and set it again, so that it becomes the most recent.
  cache.delete(id)
  cache.set(id, filter)
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
  return filter
}
