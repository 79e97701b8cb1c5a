import { LIMITS } from '../shared/limits.ts'

/** How a client should poll a verification: every 2 to 5 s with jitter for 60 s, then wait for the webhook. */
export const POLL_POLICY = {
  intervalMinMs: 2000,
  intervalMaxMs: 5000,
  durationMs: 60_000,
  maxPolls: LIMITS.statusPollsPerVerification,
} as const
