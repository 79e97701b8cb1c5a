import {
  type DeadReason,
  WEBHOOK_RETRY_AFTER_STEPS,
  WEBHOOK_RETRY_JITTER,
  WEBHOOK_RETRY_SCHEDULE_SECONDS,
  WEBHOOK_RETRY_WINDOW_SECONDS,
} from '@vaani/contracts'

/** The parts of a response that decide the next attempt. */
export interface AttemptAnswer {
  /** HTTP status; null if there was no response. */
  status: number | null
  /** From the `Retry-After` header; null without one. */
  retryAfterMs: number | null
}

export type Verdict =
  | { status: 'delivered' }
  | { status: 'pending'; nextAttemptMs: number }
  | { status: 'dead'; reason: DeadReason }

export interface RetryPolicy {
  /** Delay of each attempt after the previous one, starting with the first attempt. */
  scheduleSeconds: readonly number[]
  jitter: number
  windowSeconds: number
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  scheduleSeconds: WEBHOOK_RETRY_SCHEDULE_SECONDS,
  jitter: WEBHOOK_RETRY_JITTER,
  windowSeconds: WEBHOOK_RETRY_WINDOW_SECONDS,
}

/** Ends the schedule before the retry window does, so that the last attempt is certainly within it. */
const LAST_ATTEMPT_MARGIN_MS = 60_000

/** Decides what happens to a delivery after an attempt. Pure: takes the time and the randomness as arguments. */
export function judgeAttempt(options: {
  policy: RetryPolicy
  answer: AttemptAnswer
  /** Attempts of this round, this one included. */
  attempts: number
  /** Time of the first attempt of this round, in milliseconds since the epoch. */
  firstAttemptMs: number
  nowMs: number
  /** From 0 to 1. */
  random: number
}): Verdict {
  const { policy, answer, attempts, firstAttemptMs, nowMs, random } = options
  const { status, retryAfterMs } = answer
  if (isSuccess(status)) return { status: 'delivered' }
  if (status === 410) return { status: 'dead', reason: 'gone' }
  const delaySeconds = policy.scheduleSeconds[attempts]
  if (delaySeconds === undefined) return { status: 'dead', reason: 'attempts_exhausted' }
  const endMs = firstAttemptMs + policy.windowSeconds * 1000 - LAST_ATTEMPT_MARGIN_MS
  if (nowMs >= endMs) return { status: 'dead', reason: 'window_expired' }
  const stepMs = delaySeconds * 1000
  const jitteredMs = stepMs * (1 + policy.jitter * (2 * random - 1))
  // A receiver may slow the schedule down, but not skip it.
  const askedMs = Math.min(retryAfterMs ?? 0, WEBHOOK_RETRY_AFTER_STEPS * stepMs)
  return { status: 'pending', nextAttemptMs: Math.min(nowMs + Math.max(jitteredMs, askedMs), endMs) }
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Whether the endpoint itself seems to be down, instead of refusing this one delivery. */
export const isOutage = (status: number | null): boolean =>
  status === null || status >= 500 || status === 429 || status === 408

/** Parses `Retry-After`, in seconds or as a date, into milliseconds from now; null if it is neither. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  // `Date.parse` alone accepts almost anything.
  const delayMs = /^[A-Z][a-z]{2}, .* GMT$/.test(header) ? Date.parse(header) - nowMs : Number.NaN
  return Number.isNaN(delayMs) ? null : Math.max(0, delayMs)
}
