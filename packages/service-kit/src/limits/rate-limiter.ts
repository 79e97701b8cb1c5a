/** A named rate: at most `limit` in any window of `periodSeconds`, wherever it begins. */
export interface NamedRate {
  name: string
  limit: number
  periodSeconds: number
}

export interface RateLimitResult {
  allowed: boolean
  /** How many more would be admitted now. */
  remaining: number
  /** Time until `remaining` grows, or, after a refusal, until the next request is admitted. */
  resetSeconds: number
}

/** What is left of a rate before the next request. */
export interface RateState {
  /** How many requests would be admitted now. */
  remaining: number
  /** Time until `remaining` grows; 0 if nothing is used. */
  resetSeconds: number
  /** Whether all processes are counted, or only what this one knows of. */
  isShared: boolean
}

export interface RateLimiter {
  /**
   * Counts one request of `subject`: a key, an account in a mode, or an address. Counts in this process while the shared store
   * is down. Rejects only if we have a bug.
   */
  check(rate: NamedRate, subject: string): Promise<RateLimitResult>
  /**
   * Takes back the newest admission of `subject`, because nothing came of it. Call it within the period. A request that was admitted
   * meanwhile takes over the time of this one. While the shared store is down, it keeps what it had counted.
   */
  giveBack(rate: NamedRate, subject: string): Promise<void>
  /** Returns what the next `check` would meet. Counts and changes nothing. */
  peek(rate: NamedRate, subject: string): Promise<RateState>
}
