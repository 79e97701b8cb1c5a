import { DEFAULT_TOLERANCES } from '../../rules/compare/compare-scores.ts'
import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { list, optional, retentionDays } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'
import type { ConcludeLimits } from './rules/conclude.ts'
import type { PlanLimits } from './rules/plan.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GIB = 2 ** 30
/** Reasons of the check `reused_media`, which depend on what the account saw before. */
const HISTORY_REASONS = ['media_reused', 'document_reused', 'media_resembles']
/** Less than a day, because the media is that of persons. */
const MOST_MEDIA_HOURS = 20

export interface PairSettings {
  /** How long a pair waits for its media, its decisions and its callbacks. */
  readonly pairWindows: Pick<PlanLimits, 'mediaMs' | 'decisionMs' | 'callbackMs'>
  /**
   * Key of the shadow's own account at the primary, for what it sends there; by default that of the callers, whose webhook
   * endpoints then get events of submissions that they never made.
   */
  readonly primaryOwnApiKey: string | undefined
  /** Reads, at the candidate, what callers submitted there. */
  readonly candidateCallersApiKey: string | undefined
  readonly storesShadowMedia: boolean
  readonly sendsPerSecond: number
  /** Submissions that one process sends at a time. */
  readonly sendConcurrency: number
  /** Most submissions to the shadow in a UTC day; null without a limit. */
  readonly dailyBudget: number | null
  readonly sendTimeoutMs: number
  readonly pairRetentionDays: number
  /** Bytes and submissions above which nothing further is copied. */
  readonly spoolMaxBytes: number
  readonly spoolMaxSubmissions: number
  /** Key of the sample. If undefined, it is derived from the encryption key. */
  readonly samplingKey: Buffer | undefined
  readonly pairLimits: ConcludeLimits
}

const SAMPLING_KEY_BYTES = 32
const samplingKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === SAMPLING_KEY_BYTES, `must be ${SAMPLING_KEY_BYTES} bytes as base64`)

const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be an API key')
const above0 = z.coerce.number().positive()

export const pairSettings = defineSettings(
  {
    VAANI_SHADOW_PRIMARY_OWN_API_KEY: optional(apiKey),
    VAANI_SHADOW_CANDIDATE_CALLERS_API_KEY: optional(apiKey),
    VAANI_SHADOW_STORE_MEDIA: optional(z.enum(['0', '1'])),
    VAANI_SHADOW_MEDIA_HOURS: optional(above0.max(MOST_MEDIA_HOURS)),
    VAANI_SHADOW_CALLBACK_MINUTES: optional(above0.max(1440)),
    VAANI_SHADOW_DECISION_HOURS: optional(above0.max(720)),
    VAANI_SHADOW_PAIR_DAYS: optional(retentionDays),
    VAANI_SHADOW_SENDS_PER_SECOND: optional(z.coerce.number().int().min(1).max(10_000)),
    VAANI_SHADOW_SEND_CONCURRENCY: optional(z.coerce.number().int().min(1).max(100)),
    VAANI_SHADOW_DAILY_BUDGET: optional(z.coerce.number().int().min(0)),
    VAANI_SHADOW_SEND_TIMEOUT_SECONDS: optional(above0.max(600)),
    VAANI_SHADOW_SLOW_ANSWER_SECONDS: optional(above0),
    VAANI_SHADOW_SLOW_DECISION_SECONDS: optional(above0),
    VAANI_SHADOW_SPOOL_MAX_BYTES: optional(z.coerce.number().int().min(0)),
    VAANI_SHADOW_SPOOL_MAX_SUBMISSIONS: optional(z.coerce.number().int().min(0)),
    VAANI_SHADOW_SAMPLING_KEY: optional(samplingKey),
    VAANI_SHADOW_HISTORY_REASONS: optional(z.string().transform(list)),
  },
  (values): PairSettings => ({
    pairWindows: {
      mediaMs: (values.VAANI_SHADOW_MEDIA_HOURS ?? 1) * HOUR_MS,
      decisionMs: (values.VAANI_SHADOW_DECISION_HOURS ?? 24) * HOUR_MS,
      callbackMs: (values.VAANI_SHADOW_CALLBACK_MINUTES ?? 10) * MINUTE_MS,
    },
    primaryOwnApiKey: values.VAANI_SHADOW_PRIMARY_OWN_API_KEY,
    candidateCallersApiKey: values.VAANI_SHADOW_CANDIDATE_CALLERS_API_KEY,
    storesShadowMedia: values.VAANI_SHADOW_STORE_MEDIA === '1',
    sendsPerSecond: values.VAANI_SHADOW_SENDS_PER_SECOND ?? 5,
    sendConcurrency: values.VAANI_SHADOW_SEND_CONCURRENCY ?? 4,
    dailyBudget: values.VAANI_SHADOW_DAILY_BUDGET ?? null,
    sendTimeoutMs: (values.VAANI_SHADOW_SEND_TIMEOUT_SECONDS ?? 120) * 1000,
    pairRetentionDays: values.VAANI_SHADOW_PAIR_DAYS ?? 90,
    spoolMaxBytes: values.VAANI_SHADOW_SPOOL_MAX_BYTES ?? 10 * GIB,
    spoolMaxSubmissions: values.VAANI_SHADOW_SPOOL_MAX_SUBMISSIONS ?? 10_000,
    samplingKey: values.VAANI_SHADOW_SAMPLING_KEY,
    pairLimits: {
      answerMs: (values.VAANI_SHADOW_SLOW_ANSWER_SECONDS ?? 5) * 1000,
      decisionMs: (values.VAANI_SHADOW_SLOW_DECISION_SECONDS ?? 60) * 1000,
      tolerances: DEFAULT_TOLERANCES,
      historyReasons: new Set(values.VAANI_SHADOW_HISTORY_REASONS ?? HISTORY_REASONS),
    },
  }),
)
