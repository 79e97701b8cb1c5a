import { LIMITS } from '@vaani/contracts'

const YEAR_MS = 365 * 86_400_000

/** Why a call may not be scheduled for a time. */
export type ScheduleProblem = 'is in the past' | 'is more than a year ahead'

/** Returns why a call may not be scheduled for a time; null if it may. Tolerates clocks that differ by a minute. */
export function findScheduleProblem(scheduledAt: Date, nowMs: number): ScheduleProblem | null {
  const timeMs = scheduledAt.getTime()
  if (timeMs < nowMs - LIMITS.schedulePastToleranceSeconds * 1000) return 'is in the past'
  return timeMs > nowMs + YEAR_MS ? 'is more than a year ahead' : null
}
