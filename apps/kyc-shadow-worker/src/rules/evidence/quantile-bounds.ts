import type { Bounds } from './rate-bounds.ts'
import { rulesOut } from './rate-bounds.ts'

/**
 * Bounds a quantile at all times at once, from values in ascending order: the number of values at or below the true quantile `share`
 * is binomial with that rate, so a value is out if the count at or below it is one that `rulesOut` refuses (Howard and Ramdas 2022,
 * https://doi.org/10.3150/21-BEJ1388). -Infinity or Infinity if the values do not bound it yet.
 *
 * @param share above 0 and below 1, as in 0.99
 * @param alpha probability that the bounds ever miss the true quantile
 */
export function boundQuantile(ascending: Float64Array, share: number, alpha: number): Bounds {
  const trials = ascending.length
  // Counted from the side that is narrower, because the bounds are narrowest at small rates.
  const isHigh = share > 0.5
  const rate = isHigh ? 1 - share : share
  const isPossible = (below: number): boolean =>
    !rulesOut({ events: isHigh ? trials - below : below, trials }, rate, { alpha, narrowestAt: rate })
  const middle = Math.min(trials, Math.max(0, Math.round(share * trials)))
  let fewest = middle
  while (fewest > 0 && isPossible(fewest - 1)) fewest--
  let most = middle
  while (most < trials && isPossible(most + 1)) most++
  return { lower: ascending[fewest - 1] ?? -Infinity, upper: ascending[most] ?? Infinity }
}
