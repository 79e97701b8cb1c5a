/** Tells how long packets must be held back, so that nearly all have come when they are to be played. */
export interface DelayEstimate {
  /** The shortest transit of late, in milliseconds on a scale of no known start; NaN where nothing has come. */
  readonly baseMs: number
  /** The delay, beyond the shortest transit, within which 97 % of the packets came; 0 where nothing has come. */
  readonly neededMs: number
  /** Takes the transit of a packet: its arrival less its timestamp. */
  add(transitMs: number, arrivalMs: number): void
  reset(): void
}

const BUCKET_MS = 5
/** What is held back for longer is a packet in thirty-three: what concealment still hides well. */
const SHARE = 0.97
/** After 200 packets, 4 s of 20 ms, an observation counts for an eighth. */
const FORGET = 0.99
/** The shortest transit is that of the last 5 to 10 s, as clocks drift apart and routes change. */
const WINDOW_MS = 5000

/** Makes an estimate, of fixed memory: a histogram of relative delays that forgets, as NetEq in WebRTC keeps. */
export function createDelayEstimate(options: { maxDelayMs: number }): DelayEstimate {
  const { maxDelayMs } = options
  const histogram = new Float64Array(Math.ceil(maxDelayMs / BUCKET_MS) + 1)
  let current = Number.NaN
  let previous = Number.NaN
  let windowStart = 0
  let neededMs = 0

  const base = () => (current < previous || Number.isNaN(previous) ? current : previous)

  function quantile(): number {
    let total = 0
    for (const weight of histogram) total += weight
    let sum = 0
    for (let bucket = 0; bucket < histogram.length; bucket++) {
      sum += histogram[bucket] ?? 0
      if (sum >= total * SHARE) return Math.min(maxDelayMs, bucket * BUCKET_MS)
    }
    return maxDelayMs
  }

  return {
    get baseMs() {
      return base()
    },
    get neededMs() {
      return neededMs
    },
    add(transitMs, arrivalMs) {
      if (Number.isNaN(current)) windowStart = arrivalMs
      if (arrivalMs - windowStart >= WINDOW_MS) {
        windowStart = arrivalMs
        previous = current
        current = transitMs
      } else if (!(transitMs >= current)) current = transitMs
      const relative = Math.max(0, transitMs - base())
      for (let bucket = 0; bucket < histogram.length; bucket++)
        histogram[bucket] = (histogram[bucket] ?? 0) * FORGET
      const bucket = Math.min(histogram.length - 1, Math.ceil(relative / BUCKET_MS))
      histogram[bucket] = (histogram[bucket] ?? 0) + 1 - FORGET
      neededMs = quantile()
    },
    reset() {
      histogram.fill(0)
      current = previous = Number.NaN
      neededMs = 0
    },
  }
}
