/** So many failed attempts in a row open a lane: nothing is sent on it for a while, and then one attempt tries it. */
export const LANE_FAILURES_UNTIL_OPEN = 5
const OPEN_MS = 30_000
const OPEN_MAX_MS = 300_000
/** Requests that a lane may have under way at once, at first and at most. */
const CONCURRENCY_START = 8
export const CONCURRENCY_MAX = 32

/** How a lane does. It gets more requests at once as they succeed, and one at a time once one failed. */
export interface LaneHealth {
  /** Attempts that failed since the last that was answered. */
  failures: number
  concurrency: number
}

export const healthOf = (failures: number): LaneHealth => ({
  failures,
  concurrency: failures > 0 ? 1 : CONCURRENCY_START,
})

export function afterAttempt(health: LaneHealth, outage: boolean): LaneHealth {
  if (outage) return { failures: health.failures + 1, concurrency: 1 }
  return { failures: 0, concurrency: Math.min(health.concurrency * 2, CONCURRENCY_MAX) }
}

/** For how long a lane is open after so many failures; null where it is not. */
export function openMs(failures: number): number | null {
  if (failures < LANE_FAILURES_UNTIL_OPEN) return null
  return Math.min(OPEN_MS * 2 ** (failures - LANE_FAILURES_UNTIL_OPEN), OPEN_MAX_MS)
}
