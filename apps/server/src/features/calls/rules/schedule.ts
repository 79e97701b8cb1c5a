import { LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'

const YEAR_MS = 365 * 86_400_000

/**
 * When a call is to be dialled.
 *
 * @throws ApiError `invalid_request` where the time is more than a minute past, or over a year ahead
 */
export function readSchedule(scheduledAt: string | undefined, nowMs: number): Date | null {
  if (scheduledAt === undefined) return null
  const time = new Date(scheduledAt)
  const refuse = (message: string) =>
    new ApiError('invalid_request', `scheduled_at: ${message}`, { param: 'scheduled_at' })
  if (time.getTime() < nowMs - LIMITS.schedulePastToleranceSeconds * 1000) throw refuse('is in the past')
  if (time.getTime() > nowMs + YEAR_MS) throw refuse('is more than a year ahead')
  return time
}
