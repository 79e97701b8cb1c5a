/** The client's source of time; tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Runs the action once after the delay; returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void
}

/** `setTimeout` fires longer delays at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
