/** Source of time. Everything in this package that waits does so on it, so that tests pass time by hand. */
export interface Clock {
  /** Never goes back; only differences are meaningful. */
  nowMs(): number
  /** Calls once, after the delay. Returns a function that prevents it. */
  after(delayMs: number, action: () => void): () => void
}

/** `setTimeout` fires longer delays at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** The monotonic clock of the process. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
