/** Service tiers. An account's tier sets its rate limits. */
export const TIERS = ['starter', 'pro', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

/**
 * A sliding window: at most `limit` requests in any `periodSeconds`, wherever the window begins. Stricter than a fixed
 * calendar window or a token bucket, both of which admit larger bursts.
 */
export interface Rate {
  limit: number
  periodSeconds: number
}

/** Subjects with a count of their own. */
export const RATE_SUBJECTS = ['key', 'account', 'verification'] as const

export interface RateLimitPolicy {
  /** Subject with its own count. Accounts are counted per mode, so test requests leave the live limit untouched. */
  per: (typeof RATE_SUBJECTS)[number]
  /** Null if the tier does not include the operation: 403 `forbidden`. */
  rates: Record<Tier, Rate | null>
  /** By default every request counts. `accepted`: refused ones do not, up to ten times the limit. */
  counted?: 'accepted'
  /** Whether the Starter and Pro numbers are ours because the specification has none. The Enterprise ones always are. */
  beyondSpecification: boolean
  /** Fixed `Retry-After` of a refusal; by default the time until the next request is admitted. */
  retryAfterSeconds?: number
  /** Additional response header with the number of requests left. */
  remainingHeader?: string
}

export interface ConcurrencyPolicy {
  /** What is counted, per account and mode. */
  unit: 'streams' | 'pending verifications' | 'waiting calls' | 'unfinished batches' | 'unfinished documents'
  /** A slot is held until the response, the verification's checks, the batch or the document ends, or the call is dialled or canceled. */
  heldBy: 'request' | 'verification' | 'call' | 'batch' | 'document'
  limits: Record<Tier, number>
  /** Fixed `Retry-After` of a refusal, because the time until a slot is free is unknown. */
  retryAfterSeconds: number
}

export const DAY_SECONDS = 86_400

export const perMinute = (starter: number, pro: number, beyondSpecification = false) => ({
  per: 'account' as const,
  rates: {
    starter: { limit: starter, periodSeconds: 60 },
    pro: { limit: pro, periodSeconds: 60 },
    enterprise: { limit: pro * 10, periodSeconds: 60 },
  },
  beyondSpecification,
})

export const sameForAll = (rate: Rate): Record<Tier, Rate> => ({ starter: rate, pro: rate, enterprise: rate })
