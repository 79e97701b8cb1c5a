import type { Tier } from './scopes.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Bounds that the specification states, and the ones it leaves to us (docs/decisions). */
export const LIMITS = {
  streamInputCharacters: 4096,
  synthesisTextCharacters: 5000,
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
  videoBytes: 50 * MIB,
  imageBytes: 15 * MIB,
  /** Of the JSON text of `metadata`, in UTF-8. */
  metadataBytes: 16 * KIB,
  metadataKeys: 50,
  jsonBodyBytes: 256 * KIB,
  idempotencyKeyCharacters: 255,
  idempotencyHours: 24,
  cloneSamplesMax: 5,
  cloneSampleBytes: 20 * MIB,
  batchRequestsMax: 10_000,
  batchBodyBytes: 32 * MIB,
  pageMax: 100,
  pageDefault: 20,
} as const

export interface Rate {
  limit: number
  periodSeconds: number
}

export interface RateLimitPolicy {
  /**
   * `gcra` spaces requests evenly and lets a burst of `limit` through: exact at every boundary, for per-second
   * limits. `window` counts in fixed windows, for longer periods.
   */
  algorithm: 'gcra' | 'window'
  /** Whose requests are counted together. */
  per: 'key' | 'account' | 'verification'
  /** Null: the operation is not part of the tier, 403 `forbidden`. */
  rates: Record<Tier, Rate | null>
}

const perMinute = (starter: number, pro: number): RateLimitPolicy => ({
  algorithm: 'window',
  per: 'account',
  rates: {
    starter: { limit: starter, periodSeconds: 60 },
    pro: { limit: pro, periodSeconds: 60 },
    enterprise: { limit: pro * 10, periodSeconds: 60 },
  },
})

const sameForAll = (rate: Rate): Record<Tier, Rate> => ({ starter: rate, pro: rate, enterprise: rate })

const DAY_SECONDS = 86_400

/** Rate limits by name. An account may have its own rates for any of them (Enterprise). */
export const RATE_LIMITS = {
  place_call: { algorithm: 'gcra', per: 'key', rates: sameForAll({ limit: 10, periodSeconds: 1 }) },
  speech_stream: perMinute(50, 500),
  synthesis_high_fidelity: perMinute(50, 500),
  synthesis_light: perMinute(100, 1000),
  chat: perMinute(60, 600),
  speech: perMinute(60, 600),
  ocr: perMinute(60, 600),
  batch: perMinute(10, 100),
  voice_cloning: {
    algorithm: 'window',
    per: 'account',
    rates: {
      starter: null,
      pro: { limit: 5, periodSeconds: DAY_SECONDS },
      enterprise: { limit: 50, periodSeconds: DAY_SECONDS },
    },
  },
  status_polls: {
    algorithm: 'window',
    per: 'verification',
    rates: sameForAll({ limit: LIMITS.statusPollsPerVerification, periodSeconds: 30 * DAY_SECONDS }),
  },
} as const satisfies Record<string, RateLimitPolicy>
export type RateLimitName = keyof typeof RATE_LIMITS

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
