import { DAY_SECONDS } from '../shared/rates.ts'

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
