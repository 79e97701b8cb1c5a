const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5000
const MAX_LOSSES = 12
/** Longer than the recovery of a server with the maximum amount of WAL. */
const MAX_AWAY_MS = 150_000

/** Losses of the server since it last was stable. */
export interface Losses {
  /** How often it was lost or could not be started. */
  count: number
  /** How long the server has been down. */
  awayMs: number
}

/** Returns the delay before the next restart, with exponential backoff after an immediate first one; null to give up. */
export function relaunchDelayMs({ count, awayMs }: Losses): number | null {
  if (count > MAX_LOSSES || awayMs > MAX_AWAY_MS) return null
  return count <= 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - 2), LONGEST_DELAY_MS)
}
