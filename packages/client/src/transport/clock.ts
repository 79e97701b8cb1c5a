/** Time as the client sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Runs the action once after a time; returns what stops it. */
  after(delayMs: number, action: () => void): () => void
}

/** Longer delays would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
