/** The gain falls over this time before a peak, fast enough to leave the sound before it alone, and without a click. */
const LOOK_AHEAD_SECONDS = 0.005
/** Time constant of the rise after a peak: some periods of the lowest voice, so that the gain does not follow its waves. */
const RELEASE_SECONDS = 0.08
/** From here the gain is taken for 1: 0.001 dB, which nobody hears. */
const ALMOST_ONE = 0.9999

/**
 * The gains of a limiter. Around each peak, the gain sinks smoothly: it is the mean, over the look-ahead, of the lowest gain that any
 * sample within the look-ahead needs, so it is never above what the sample itself needs.
 */
export interface GainCurve {
  /** By how many samples a gain is known later than its sample. */
  readonly delay: number
  /** Takes the gain that one sample needs, at most 1, and returns that of the sample `delay` earlier. */
  next(needed: number): number
  /** Whether all gains that are not returned yet are 1 if the samples to come need no less. */
  isFlat(): boolean
}

export function createGainCurve(sampleRateHz: number): GainCurve {
  const length = Math.round(LOOK_AHEAD_SECONDS * sampleRateHz)
  const rise = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRateHz))
  const lowest = createSlidingMinimum(length)
  /** The last gains before smoothing, and their sum. */
  const held = new Float64Array(length).fill(1)
  let sum = length
  let at = 0
  let last = 1
  /** How many of the last gains were 1. */
  let ones = length
  return {
    delay: length - 1,
    isFlat: () => ones >= length,
    next(needed) {
      const risen = last + (1 - last) * rise
      last = Math.min(lowest(needed), risen > ALMOST_ONE ? 1 : risen)
      ones = last === 1 ? ones + 1 : 0
      sum = ones >= length ? length : sum + last - (held[at] ?? 0)
      held[at] = last
      at = (at + 1) % length
      return sum / length
    },
  }
}

/** Returns a function that takes values one by one and returns the lowest of the last `length`, in constant time on average. */
function createSlidingMinimum(length: number): (value: number) => number {
  // A queue of the values that are lower than all later ones, in ascending order.
  const values = new Float64Array(length)
  const times = new Float64Array(length)
  let head = 0
  let size = 0
  let time = 0
  return (value) => {
    if (size > 0 && (times[head % length] ?? 0) <= time - length) {
      head++
      size--
    }
    while (size > 0 && (values[(head + size - 1) % length] ?? 0) >= value) size--
    values[(head + size) % length] = value
    times[(head + size) % length] = time
    size++
    time++
    return values[head % length] ?? value
  }
}
