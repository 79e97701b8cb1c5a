/** A rate by its name: at most `limit` in any window of `periodSeconds`, wherever it begins. */
export interface NamedRate {
  name: string
  limit: number
  periodSeconds: number
}

export interface RateLimitResult {
  allowed: boolean
  /** How many more are admitted at this moment. */
  remaining: number
  /** Until there is more; of a refusal, until the next request is admitted. */
  resetSeconds: number
}

export interface RateLimiter {
  /**
   * Takes one from the rate for `subject`: a key, an account in a mode, an address. While the shared store is away, this
   * process counts; rejects only for a fault of ours.
   */
  check(rate: NamedRate, subject: string): Promise<RateLimitResult>
}
