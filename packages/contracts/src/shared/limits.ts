import type { Tier } from './scopes.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Bounds from the specification, and our own where it leaves them open (docs/decisions). */
export const LIMITS = {
  streamInputCharacters: 4096,
  synthesisTextCharacters: 5000,
  /** Text of a synthesis WebSocket that is not spoken yet, in UTF-16 units. */
  socketWaitingUnits: 16_384,
  /** One message of a client on a synthesis WebSocket. JSON may write each character as up to twelve bytes. */
  socketMessageBytes: 64 * KIB,
  /** Without a message of the client, counted from when all audio sent could have been played. */
  socketIdleSeconds: 120,
  socketSeconds: 3600,
  agentTextCharacters: 2000,
  agentTranslations: 20,
  agentsPerAccount: 100,
  /** Per mode. */
  lexiconsPerAccount: 50,
  lexiconEntries: 1000,
  lexiconTermCharacters: 100,
  lexiconSpokenAsCharacters: 200,
  /** Per mode. */
  endpointsPerAccount: 100,
  /** Unrevoked keys, per mode. */
  keysPerAccount: 100,
  /** An agent's words after a call's metadata is filled in; the same as `streamInputCharacters`. */
  filledGreetingCharacters: 4096,
  speedMin: 0.5,
  speedMax: 2,
  pitchShiftMin: -1,
  pitchShiftMax: 1,
  scheduledCallsPerAccount: 5000,
  callDurationSeconds: 900,
  ringSeconds: 45,
  schedulePastToleranceSeconds: 60,
  /** Reads of one verification while it is pending. */
  statusPollsPerVerification: 120,
  /** How long a reviewer keeps a review that they claimed and have not claimed again. */
  reviewClaimMinutes: 15,
  liveVideoSecondsMin: 3,
  liveVideoSecondsMax: 10,
  /** For both submission versions: the decoded size of 50 MiB of base64. */
  videoBytes: 37.5 * MIB,
  imageBytes: 15 * MIB,
  ocrPages: 50,
  /** Size of `metadata` as JSON text in UTF-8. */
  metadataBytes: 16 * KIB,
  metadataKeys: 50,
  jsonBodyBytes: 256 * KIB,
  /** Nesting depth of objects and arrays in a JSON body. */
  jsonBodyDepth: 100,
  /** Members of objects and elements of arrays in a JSON body, at all levels together. */
  jsonBodyItems: 50_000,
  idempotencyKeyCharacters: 255,
  idempotencyHours: 24,
  /** Per mode. */
  voicesPerAccount: 100,
  cloneSamplesMax: 5,
  cloneSampleBytes: 20 * MIB,
  watermarkAudioBytes: 20 * MIB,
  watermarkAudioSeconds: 300,
  /** Whose licenses have not expired, per mode. */
  deploymentsPerAccount: 1000,
  deploymentReplicas: 100,
  licenseDays: 3650,
  licenseSeats: 1000,
  /** Besides the base model. */
  licenseModels: 30,
  licenseModelCharacters: 100,
  batchRequestsMax: 10_000,
  batchBodyBytes: 32 * MIB,
  pageMax: 100,
  pageDefault: 20,
} as const

/**
 * A sliding window: at most `limit` requests in any `periodSeconds`, wherever the window begins. Stricter than a fixed
 * calendar window or a token bucket, both of which admit larger bursts.
 */
export interface Rate {
  limit: number
  periodSeconds: number
}

export interface RateLimitPolicy {
  /** Subject with its own count. Accounts are counted per mode, so test requests leave the live limit untouched. */
  per: 'key' | 'account' | 'verification'
  /** Null if the tier does not include the operation: 403 `forbidden`. */
  rates: Record<Tier, Rate | null>
  /** Whether the Starter and Pro numbers are ours because the specification has none. The Enterprise ones always are. */
  beyondSpecification: boolean
  /** Fixed `Retry-After` of a refusal; by default the time until the next request is admitted. */
  retryAfterSeconds?: number
  /** Additional response header with the number of requests left. */
  remainingHeader?: string
}

const perMinute = (starter: number, pro: number, beyondSpecification = false) => ({
  per: 'account' as const,
  rates: {
    starter: { limit: starter, periodSeconds: 60 },
    pro: { limit: pro, periodSeconds: 60 },
    enterprise: { limit: pro * 10, periodSeconds: 60 },
  },
  beyondSpecification,
})

const sameForAll = (rate: Rate): Record<Tier, Rate> => ({ starter: rate, pro: rate, enterprise: rate })

const DAY_SECONDS = 86_400

/** Rate limits by name. An account can override any of them (Enterprise). */
export const RATE_LIMITS = {
  place_call: {
    per: 'key',
    rates: sameForAll({ limit: 10, periodSeconds: 1 }),
    beyondSpecification: false,
  },
  speech_stream: perMinute(50, 500),
  synthesis_high_fidelity: perMinute(50, 500),
  synthesis_light: perMinute(100, 1000),
  watermark_detection: perMinute(20, 200, true),
  lexicon_changes: perMinute(20, 60, true),
  chat: perMinute(60, 600, true),
  speech: perMinute(60, 600, true),
  ocr: perMinute(60, 600, true),
  batch: perMinute(10, 100, true),
  kyc_submissions: perMinute(60, 600, true),
  deployments: {
    per: 'account',
    rates: { starter: null, pro: null, enterprise: { limit: 20, periodSeconds: 60 } },
    beyondSpecification: true,
  },
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
  verification_reads: perMinute(300, 3000, true),
} as const satisfies Record<string, RateLimitPolicy>
export type RateLimitName = keyof typeof RATE_LIMITS

/**
 * Limits on requests without a valid key, per client address: an IPv4 address, or the /64 of an IPv6 address. Beyond the
 * specification; accounts cannot override them.
 */
export const ADDRESS_LIMITS = {
  /** Documents that need no key. */
  public_documents: { limit: 300, periodSeconds: 60 },
  /** Requests whose key is missing or wrong: 401 up to the limit, 429 beyond it. Valid keys from the address still work. */
  failed_authentications: { limit: 300, periodSeconds: 60 },
  /** Requests for an unknown path or method: 404 or 405 up to the limit, 429 beyond it. */
  unknown_routes: { limit: 600, periodSeconds: 60 },
} as const satisfies Record<string, Rate>
export type AddressLimitName = keyof typeof ADDRESS_LIMITS

/** Bounds on an account's own rates, because the limiter's memory per account grows with its limit. */
export const RATE_OVERRIDE_BOUNDS = { limit: 100_000, periodSeconds: 31 * DAY_SECONDS } as const

export interface ConcurrencyPolicy {
  /** What is counted, per account and mode. */
  unit: 'streams' | 'pending verifications' | 'waiting calls' | 'unfinished batches'
  /** A slot is held until the response, the verification's checks or the batch ends, or the call is dialled or canceled. */
  heldBy: 'request' | 'verification' | 'call' | 'batch'
  limits: Record<Tier, number>
  /** Fixed `Retry-After` of a refusal, because the time until a slot is free is unknown. */
  retryAfterSeconds: number
}

/**
 * Concurrency limits of an account, by name. All are beyond the specification. An account can override any of them
 * (Enterprise).
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
   * Calls without `scheduled_at` that have not been dialled. A worker with 100 slots dials 1000 in ten minutes, at one
   * minute per call; calls that can wait longer should be scheduled.
   */
  waiting_calls: {
    unit: 'waiting calls',
    heldBy: 'call',
    limits: { starter: 1000, pro: 1000, enterprise: 10_000 },
    retryAfterSeconds: 5,
  },
  unfinished_batches: {
    unit: 'unfinished batches',
    heldBy: 'batch',
    limits: { starter: 5, pro: 50, enterprise: 500 },
    retryAfterSeconds: 60,
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
 * Delay of each webhook attempt, in seconds after the previous one. The first attempt is immediate and the last falls
 * within 24 h of it; if that fails too, the delivery is dead.
 */
export const WEBHOOK_RETRY_SCHEDULE_SECONDS = [
  0, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 27_000,
] as const
export const WEBHOOK_RETRY_JITTER = 0.1
export const WEBHOOK_RETRY_WINDOW_SECONDS = DAY_SECONDS
/** `Retry-After` can stretch a scheduled delay to at most this many times its length. */
export const WEBHOOK_RETRY_AFTER_STEPS = 2
/** Days without a success until an event warns that the endpoint will be disabled, and until it is disabled. */
export const WEBHOOK_FAILING_WARNING_DAYS = 3
export const WEBHOOK_FAILING_DISABLED_DAYS = 5
