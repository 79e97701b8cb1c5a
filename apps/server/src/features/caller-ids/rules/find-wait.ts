import { LIMITS } from '@vaani/contracts'

const DAY_MS = 86_400_000
/** When to try again if the number is being called. */
const CALL_SECONDS = 60

/** An earlier verification call to the same number. */
export interface EarlierCall {
  createdAtMs: number
  isUnderWay: boolean
}

/**
 * Returns in how many seconds a number may be called again to verify it; null if it may be called now. A phone is never rung twice at a
 * time, nor more often than `callerIdCallsPerDay` in any 24 hours.
 *
 * @param earlier the last `callerIdCallsPerDay` calls, newest first
 */
export function findWait(earlier: readonly EarlierCall[], nowMs: number): number | null {
  const untilFree =
    (earlier[LIMITS.callerIdCallsPerDay - 1]?.createdAtMs ?? Number.NEGATIVE_INFINITY) + DAY_MS
  if (untilFree > nowMs) return Math.ceil((untilFree - nowMs) / 1000)
  return earlier.some(({ isUnderWay }) => isUnderWay) ? CALL_SECONDS : null
}
