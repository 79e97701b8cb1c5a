/** How often a page is started before it counts as unreadable. */
export const MAX_ATTEMPTS = 5

/** Delay after a failed attempt, which doubles. */
export const retryDelaySeconds = (attempts: number): number => 2 ** attempts
