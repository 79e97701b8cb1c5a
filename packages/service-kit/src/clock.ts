/** Where the time comes from; tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }
