/** Source of time. Everything in this package that waits does so on it, so that tests pass time by hand. */
export interface Clock {
  /** Never goes back; only differences are meaningful. */
  nowMs(): number
  /** Calls once, after the delay. Returns a function that prevents it. */
  after(delayMs: number, action: () => void): () => void
}
