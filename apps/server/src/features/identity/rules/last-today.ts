const LAST_ZONE_MS = 12 * 60 * 60 * 1000

/**
 * Returns today's date, YYYY-MM-DD, where a day ends last (UTC−12). A document is valid on its last day in the place that issued it, which is
 * not always known; so nobody is refused a day too soon, by an expiry or by an age.
 */
export const lastToday = (nowMs: number): string => new Date(nowMs - LAST_ZONE_MS).toISOString().slice(0, 10)
