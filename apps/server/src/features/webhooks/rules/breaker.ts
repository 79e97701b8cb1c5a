/** Consecutive failures that open a lane: nothing is sent on it for a while, and then a single attempt tries it. */
export const LANE_FAILURES_UNTIL_OPEN = 5
const OPEN_MS = 30_000
const OPEN_MAX_MS = 300_000
/** Concurrent requests of a lane, at first and at most. */
const CONCURRENCY_START = 8
export const CONCURRENCY_MAX = 32

/** Health of a lane. Its concurrency doubles with each success and drops to 1 after a failure. */
export interface LaneHealth {
  /** Consecutive attempts that found the receiver down. */
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

/** Returns how long a lane stays open after a number of failures; null if it is not open. */
export function openMs(failures: number): number | null {
  if (failures < LANE_FAILURES_UNTIL_OPEN) return null
  return Math.min(OPEN_MS * 2 ** (failures - LANE_FAILURES_UNTIL_OPEN), OPEN_MAX_MS)
}
