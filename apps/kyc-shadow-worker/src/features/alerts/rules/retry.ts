/** Attempts go on for more than half a day. */
export const MAX_ATTEMPTS = 22
const FIRST_DELAY_MS = 5000
const LONGEST_DELAY_MS = 3_600_000

/** Delay after a failed attempt: 5 s after the first, then doubled, at most an hour. Null after the last. */
export const retryDelayMs = (attempts: number): number | null =>
  attempts >= MAX_ATTEMPTS ? null : Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS)
