import { bisect } from './bisect.ts'
import type { Bounds } from './rate-bounds.ts'

/** In how many pairs something happened to one side alone. */
export interface PairedTally {
  readonly onlyCandidate: number
  readonly onlyPrimary: number
  /** All pairs, also those in which it happened to both sides or to neither. */
  readonly trials: number
}

/**
 * Shares of the wealth that are bet: Chebyshev nodes, so their mean integrates over the arcsine distribution, which is the prior of
 * Jeffreys for a share. The bounds are valid whatever the bets are; many more make them no narrower.
 */
const BETS = Array.from({ length: 64 }, (_, index) => Math.cos((Math.PI * (index + 0.5)) / 128) ** 2)

/**
 * Bounds, at all times at once, how much more often something happens to the candidate alone than to the primary alone: a difference
 * of rates from -1 to 1, of which the probability that the bounds *ever* miss it is at most `alpha`.
 *
 * A pair counts 2 if it happened to the candidate alone, 0 if to the primary alone, and 1 otherwise. If the mean of that is m, a share
 * `f` of one's wealth bet on a count `y` above m multiplies the wealth by 1 + f (y / m - 1), which is 1 on average, so the wealth is a
 * martingale, and so is its mean over many shares. It ever reaches 2 / alpha with a probability of at most alpha / 2 (Ville's
 * inequality); the bound holds the means for which it did not. The other bound is the same with the sides exchanged (Waudby-Smith and
 * Ramdas 2024, "Estimating means of bounded random variables by betting", https://doi.org/10.1093/jrsssb/qkad009). It needs the same mean
 * in every pair given those before it, not that pairs are independent.
 *
 * @example
 * boundDifference({ onlyCandidate: 50, onlyPrimary: 50, trials: 5000 }, 0.05) // -0.0068 to 0.0068
 */
export function boundDifference(tally: PairedTally, alpha: number): Bounds {
  if (tally.trials === 0) return { lower: -1, upper: 1 }
  return { lower: boundFromBelow(tally, alpha / 2), upper: -boundFromBelow(exchange(tally), alpha / 2) }
}

/** Whether `boundDifference` leaves a difference out, without looking for the bounds. */
export const rulesOutDifference = (tally: PairedTally, difference: number, alpha: number): boolean =>
  isTooLow(tally, 1 + difference, alpha / 2) || isTooLow(exchange(tally), 1 - difference, alpha / 2)

const exchange = ({ onlyCandidate, onlyPrimary, trials }: PairedTally): PairedTally => ({
  onlyCandidate: onlyPrimary,
  onlyPrimary: onlyCandidate,
  trials,
})

function boundFromBelow(tally: PairedTally, alpha: number): number {
  const observed = 1 + (tally.onlyCandidate - tally.onlyPrimary) / tally.trials
  return bisect(0, observed, (mean) => !isTooLow(tally, mean, alpha)) - 1
}

/** Whether bets on counts above a mean have won so much that it is too low. They win the more, the lower it is. */
function isTooLow({ onlyCandidate, onlyPrimary, trials }: PairedTally, mean: number, alpha: number): boolean {
  const logWealths = BETS.map(
    (bet) =>
      logGrowth(onlyCandidate, bet * (2 / mean - 1)) +
      logGrowth(trials - onlyCandidate - onlyPrimary, bet * (1 / mean - 1)) +
      logGrowth(onlyPrimary, -bet),
  )
  const most = Math.max(...logWealths)
  const sum = logWealths.reduce((total, logWealth) => total + Math.exp(logWealth - most), 0)
  return most + Math.log(sum / BETS.length) >= -Math.log(alpha)
}

const logGrowth = (pairs: number, gain: number): number => (pairs === 0 ? 0 : pairs * Math.log1p(gain))
