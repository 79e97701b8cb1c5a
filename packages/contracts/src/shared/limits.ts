import type { Tier } from './scopes.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Bounds that the specification states, and the ones it leaves to us (docs/decisions). */
export const LIMITS = {
  streamInputCharacters: 4096,
  synthesisTextCharacters: 5000,
  agentTextCharacters: 2000,
  agentTranslations: 20,
  agentsPerAccount: 100,
  /** In each mode. */
  endpointsPerAccount: 100,
  /** Not revoked, in each mode. */
  keysPerAccount: 100,
  /** Of an agent's words once a call's metadata is filled in: as long as what a stream may speak. */
  filledGreetingCharacters: 4096,
  speedMin: 0.5,
  speedMax: 2,
  pitchShiftMin: -1,
  pitchShiftMax: 1,
  scheduledCallsPerAccount: 5000,
  callDurationSeconds: 900,
  ringSeconds: 45,
  schedulePastToleranceSeconds: 60,
  statusPollsPerVerification: 120,
  liveVideoSecondsMin: 3,
  liveVideoSecondsMax: 10,
  /** In both versions of a submission: what 50 MiB of base64 hold. */
  videoBytes: 37.5 * MIB,
  imageBytes: 15 * MIB,
  /** Of the JSON text of `metadata`, in UTF-8. */
  metadataBytes: 16 * KIB,
  metadataKeys: 50,
  jsonBodyBytes: 256 * KIB,
  /** Levels of objects and arrays within each other in a JSON body. */
  jsonBodyDepth: 100,
  idempotencyKeyCharacters: 255,
  idempotencyHours: 24,
  cloneSamplesMax: 5,
  cloneSampleBytes: 20 * MIB,
  batchRequestsMax: 10_000,
  batchBodyBytes: 32 * MIB,
  pageMax: 100,
  pageDefault: 20,
} as const

/** At most `limit` in any window of `periodSeconds`, wherever it begins: not N per calendar window, nor a burst beside a refill. */
export interface Rate {
  limit: number
  periodSeconds: number
}

export interface RateLimitPolicy {
  /** What is counted by itself. Keys, and accounts in each mode: test requests leave the live limit untouched. */
  per: 'key' | 'account' | 'verification'
  /** Null: the operation is not part of the tier, 403 `forbidden`. */
  rates: Record<Tier, Rate | null>
  /** Whether the specification leaves the numbers of Starter and Pro to us. Those of Enterprise are always ours. */
  beyondSpecification: boolean
  /** Seconds that a refusal asks for, if not until the next request is admitted. */
  retryAfterSeconds?: number
  /** Response header that also carries how many requests are left. */
  remainingHeader?: string
}

const perMinute = (starter: number, pro: number, beyondSpecification = false): RateLimitPolicy => ({
  per: 'account',
  rates: {
    starter: { limit: starter, periodSeconds: 60 },
    pro: { limit: pro, periodSeconds: 60 },
    enterprise: { limit: pro * 10, periodSeconds: 60 },
  },
  beyondSpecification,
})

const sameForAll = (rate: Rate): Record<Tier, Rate> => ({ starter: rate, pro: rate, enterprise: rate })

const DAY_SECONDS = 86_400

/** Rate limits by name. An account may have its own rates for any of them (Enterprise). */
export const RATE_LIMITS = {
  place_call: {
    per: 'key',
    rates: sameForAll({ limit: 10, periodSeconds: 1 }),
    beyondSpecification: false,
  },
  speech_stream: perMinute(50, 500),
  synthesis_high_fidelity: perMinute(50, 500),
  synthesis_light: perMinute(100, 1000),
  chat: perMinute(60, 600, true),
  speech: perMinute(60, 600, true),
  ocr: perMinute(60, 600, true),
  batch: perMinute(10, 100, true),
  kyc_submissions: perMinute(60, 600, true),
  voice_cloning: {
    per: 'account',
    rates: {
      starter: null,
      pro: { limit: 5, periodSeconds: DAY_SECONDS },
      enterprise: { limit: 50, periodSeconds: DAY_SECONDS },
    },
    beyondSpecification: false,
  },
  status_polls: {
    per: 'verification',
    rates: sameForAll({ limit: LIMITS.statusPollsPerVerification, periodSeconds: 30 * DAY_SECONDS }),
    beyondSpecification: false,
    retryAfterSeconds: 5,
    remainingHeader: 'x-polls-remaining',
  },
} as const satisfies Record<string, RateLimitPolicy>
export type RateLimitName = keyof typeof RATE_LIMITS

/**
 * Limits on requests without a good key, by the caller's address: an IPv4 address, or the /64 of an IPv6 address. They go
 * beyond the specification, and no account can have its own.
 */
export const ADDRESS_LIMITS = {
  /** Documents that need no key. */
  public_documents: { limit: 300, periodSeconds: 60 },
  /** Requests whose key is missing or wrong: 401 up to the limit, 429 beyond it. Good keys of the address go on. */
  failed_authentications: { limit: 300, periodSeconds: 60 },
  /** Requests for a path or a method that does not exist: 404 or 405 up to the limit, 429 beyond it. */
  unknown_routes: { limit: 600, periodSeconds: 60 },
} as const satisfies Record<string, Rate>
export type AddressLimitName = keyof typeof ADDRESS_LIMITS

/** Bounds of an account's own rates: what is remembered of an account grows with its limit. */
export const RATE_OVERRIDE_BOUNDS = { limit: 100_000, periodSeconds: 31 * DAY_SECONDS } as const

export interface ConcurrencyPolicy {
  /** What an account has at most so many of at a time, in each mode. */
  unit: 'streams' | 'pending verifications' | 'waiting calls'
  /** Until when one counts: the response has ended, the verification's checks have, or the call is dialled or canceled. */
  heldBy: 'request' | 'verification' | 'call'
  limits: Record<Tier, number>
  /** Seconds that a refusal asks for; nobody knows when the next place comes free. */
  retryAfterSeconds: number
}

/**
 * Limits on how many of something an account has at a time. All go beyond the specification. An account may have its
 * own numbers for any of them (Enterprise).
 */
export const CONCURRENCY_LIMITS = {
  concurrent_streams: {
    unit: 'streams',
    heldBy: 'request',
    limits: { starter: 10, pro: 50, enterprise: 500 },
    retryAfterSeconds: 1,
  },
  pending_verifications: {
    unit: 'pending verifications',
    heldBy: 'verification',
    limits: { starter: 100, pro: 1000, enterprise: 10_000 },
    retryAfterSeconds: 5,
  },
  /**
   * Calls without `scheduled_at` that are not dialled yet. A worker of 100 places dials 1000 in ten minutes, at a minute a
   * call; what can wait longer should be scheduled.
   */
  waiting_calls: {
    unit: 'waiting calls',
    heldBy: 'call',
    limits: { starter: 1000, pro: 1000, enterprise: 10_000 },
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, ConcurrencyPolicy>
export type ConcurrencyLimitName = keyof typeof CONCURRENCY_LIMITS

/** How a client should poll a verification: every 2 to 5 s with jitter for 60 s, then wait for the webhook. */
export const POLL_POLICY = {
  intervalMinMs: 2000,
  intervalMaxMs: 5000,
  durationMs: 60_000,
  maxPolls: LIMITS.statusPollsPerVerification,
} as const

/**
 * Seconds after the previous attempt at which a webhook delivery is tried again. The first is at once; the last
 * falls within 24 h of it, and then the delivery is dead.
 */
export const WEBHOOK_RETRY_SCHEDULE_SECONDS = [
  0, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 27_000,
] as const
export const WEBHOOK_RETRY_JITTER = 0.1
export const WEBHOOK_RETRY_WINDOW_SECONDS = DAY_SECONDS
/** `Retry-After` delays an attempt to so many times its step at most. */
export const WEBHOOK_RETRY_AFTER_STEPS = 2
/** Days of nothing but failures until an event warns that the endpoint will be disabled, and until it is. */
export const WEBHOOK_FAILING_WARNING_DAYS = 3
export const WEBHOOK_FAILING_DISABLED_DAYS = 5
