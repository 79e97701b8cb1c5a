import type { Bounds } from './rate-bounds.ts'
import { rulesOut } from './rate-bounds.ts'

/** A bucket is 19 % wider than the one before it: as close as anybody reads a percentile. */
const BUCKETS_PER_DOUBLING = 4
/** Ends at 12 days, after every window. */
const LAST_BUCKET = 120

/** Values of a bucket: those above the bucket before it, up to `upToMs`. */
export interface Bucket {
  readonly upToMs: number
  readonly count: number
}

/** Returns the number of the bucket of a latency; the first one is up to 1 ms. */
export const bucketOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(BUCKETS_PER_DOUBLING * Math.log2(ms)))

/** Returns the upper end of a bucket, to four digits. */
export const upToMs = (bucket: number): number =>
  Number((2 ** (bucket / BUCKETS_PER_DOUBLING)).toPrecision(4))

export const countAll = (buckets: readonly Bucket[]): number =>
  buckets.reduce((sum, { count }) => sum + count, 0)

/**
 * Returns the upper end of the bucket that holds a quantile; null without values.
 *
 * @param ascending buckets in ascending order
 * @param share above 0 and below 1, as in 0.99
 */
export function quantileOf(ascending: readonly Bucket[], share: number): number | null {
  const wanted = share * countAll(ascending)
  let below = 0
  for (const { upToMs, count } of ascending) {
    below += count
    if (below > 0 && below >= wanted) return upToMs
  }
  return null
}

/**
 * Bounds a quantile at all times at once, as coarsely as the buckets are: the number of values up to the end of a bucket is
 * binomial, and the end lies beyond the quantile if that number rules the share out (Howard and Ramdas 2022,
 * https://doi.org/10.3150/21-BEJ1388).
 *
 * @param ascending buckets in ascending order
 * @param share above 0 and below 1, as in 0.99
 * @param alpha probability that the bounds ever miss the true quantile
 */
export function boundQuantileOf(ascending: readonly Bucket[], share: number, alpha: number): Bounds {
  const trials = countAll(ascending)
  const isHigh = share > 0.5
  const rate = isHigh ? 1 - share : share
  let below = 0
  let lower = 0
  for (const { upToMs, count } of ascending) {
    below += count
    const events = isHigh ? trials - below : below
    if (!rulesOut({ events, trials }, rate, { alpha, narrowestAt: rate })) continue
    if (below > share * trials) return { lower, upper: upToMs }
    lower = upToMs
  }
  return { lower, upper: Infinity }
}
