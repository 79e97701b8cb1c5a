/** A limit as it applies to one caller. */
export interface Bucket {
  name: string
  /** `gcra`: evenly spaced with a burst of `limit`. `window`: counted in fixed windows. */
  algorithm: 'gcra' | 'window'
  limit: number
  periodSeconds: number
}

export interface RateLimitResult {
  allowed: boolean
  /** How many more are allowed at this moment. */
  remaining: number
  /** Until the whole limit is there again. */
  resetSeconds: number
  /** Until the next one is allowed; 0 where one is allowed now. */
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Takes one from the bucket of `subject`. While the shared store is away, this process counts; rejects only for a fault of ours. */
  check(bucket: Bucket, subject: string): Promise<RateLimitResult>
  close(): Promise<void>
}
