const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5000
const MAX_LOSSES = 12
/** Longer than the recovery of a server with all the WAL it may hold. */
const MAX_AWAY_MS = 150_000

/** What became of the server since it last ran for a while. */
export interface Losses {
  /** How often it was lost, or could not be started. */
  count: number
  /** For how long nothing has answered. */
  awayMs: number
}

/** How long to wait before the server is started again: at once the first time, then twice as long each time; null to give up. */
export function relaunchDelayMs({ count, awayMs }: Losses): number | null {
  if (count > MAX_LOSSES || awayMs > MAX_AWAY_MS) return null
  return count <= 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - 2), LONGEST_DELAY_MS)
}
