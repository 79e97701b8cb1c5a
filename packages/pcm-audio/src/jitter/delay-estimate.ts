/** Estimates the playout delay with which nearly all packets arrive before they are due. */
export interface DelayEstimate {
  /** The shortest recent transit, in milliseconds with an arbitrary zero; NaN before the first packet. */
  readonly baseMs: number
  /** The delay beyond the shortest transit within which 97 % of recent packets arrived; 0 before the first packet. */
  readonly neededMs: number
  /** Takes the transit of a packet: its arrival minus its timestamp. */
  add(transitMs: number, arrivalMs: number): void
  reset(): void
}

const BUCKET_MS = 5
/** One packet in 33 arrives later, which concealment still hides well. */
const SHARE = 0.97
/** Decay per packet: after 200 packets, 4 s at 20 ms, an observation has an eighth of its weight. */
const FORGET = 0.99
/** The shortest transit covers only the last 5 to 10 s, because clocks drift and routes change. */
const WINDOW_MS = 5000

/** Creates an estimate in fixed memory: a decaying histogram of relative delays, like that of NetEq in WebRTC. */
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
