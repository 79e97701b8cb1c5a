import type { Stage } from '@vaani/contracts/migration'

/** Pairs that ended in an hour at a stage. */
export interface HourOfPairs {
  readonly stage: Stage
  readonly firstAtMs: number
  readonly pairs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Less shows no rate. */
const SHORTEST_MS = 60_000

/**
 * Returns how many pairs end a day at the stage of the latest one; null if that is not known yet. An earlier stage shadowed another
 * share, and an earlier day had another traffic.
 */
export function countPairsPerDay(hours: readonly HourOfPairs[], nowMs: number): number | null {
  const recent = hours.filter(({ firstAtMs }) => firstAtMs > nowMs - DAY_MS)
  const latest = recent.toSorted((one, other) => other.firstAtMs - one.firstAtMs)[0]
  if (latest === undefined) return null
  const alike = recent.filter(({ stage }) => stage === latest.stage)
  const spanMs = nowMs - Math.min(...alike.map(({ firstAtMs }) => firstAtMs))
  if (spanMs < SHORTEST_MS) return null
  return (alike.reduce((sum, { pairs }) => sum + pairs, 0) * DAY_MS) / spanMs
}
