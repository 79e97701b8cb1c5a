import { LIMITS } from '@vaani/contracts'

const YEAR_MS = 365 * 86_400_000

/** What keeps a call from being dialled at a time. */
export type ScheduleProblem = 'is in the past' | 'is more than a year ahead'

/** Whether a call may be scheduled for a time; null if it may. Clocks may differ by a minute. */
export function findScheduleProblem(scheduledAt: Date, nowMs: number): ScheduleProblem | null {
  const timeMs = scheduledAt.getTime()
  if (timeMs < nowMs - LIMITS.schedulePastToleranceSeconds * 1000) return 'is in the past'
  return timeMs > nowMs + YEAR_MS ? 'is more than a year ahead' : null
}
