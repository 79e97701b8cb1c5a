import { bisect } from './bisect.ts'
import { logBeta } from './log-beta.ts'

/** How often something happened. */
export interface Tally {
  /** How many times it did. */
  readonly events: number
  /** How many times it could have. */
  readonly trials: number
}

/** Bounds from 0 to 1 that hold the true rate. */
export interface Bounds {
  readonly lower: number
  readonly upper: number
}

export interface Confidence {
  /** Probability that the bounds ever miss the true rate, however often they are looked at. */
  readonly alpha: number
  /**
   * Rate at which the bounds are narrowest, above 0 and below 1: the rate that is allowed. It must not depend on the data.
   * The bounds are valid whatever it is.
   */
  readonly narrowestAt: number
}

/**
 * Bounds the rate of a yes-or-no event at all times at once: the probability that the bounds *ever* miss the true rate is at most
 * `alpha`, so anybody may look after every trial and stop when they like.
 *
 * If `p` is the true rate, the likelihood ratio of any mixture of rates against `p` is a martingale of mean 1, and reaches
 * 1/alpha with a probability of at most alpha (Ville's inequality). The bounds hold the rates that it has not ruled out (Robbins
 * 1970; Howard, Ramdas, McAuliffe and Sekhon 2021, https://doi.org/10.1214/20-AOS1991). The mixture is a beta distribution of ½ and
 * 1 / (4 `narrowestAt`), which at a rate of ½ is the prior of Jeffreys. A uniform one is valid too, but needs 984 trials without an
 * event to bound the rate by 1 %; this one needs 445, and 361 in place of 531 to notice a rate of 3 %.
 *
 * @example
 * boundRate({ events: 0, trials: 445 }, { alpha: 0.05, narrowestAt: 0.01 }) // upper: 0.01
 */
export function boundRate(tally: Tally, confidence: Confidence): Bounds {
  const { events, trials } = tally
  if (trials === 0) return { lower: 0, upper: 1 }
  const isRuledOut = judgeRates(tally, confidence)
  const observed = events / trials
  return {
    lower: events === 0 ? 0 : bisect(0, observed, (rate) => !isRuledOut(rate)),
    upper: events === trials ? 1 : bisect(observed, 1, isRuledOut),
  }
}

/** Whether `boundRate` leaves a rate out, without looking for the bounds. */
export const rulesOut = (tally: Tally, rate: number, confidence: Confidence): boolean =>
  judgeRates(tally, confidence)(rate)

function judgeRates({ events, trials }: Tally, { alpha, narrowestAt }: Confidence) {
  const b = 1 / (4 * narrowestAt)
  const logMixture = logBeta(0.5 + events, b + trials - events) - logBeta(0.5, b)
  const logLimit = -Math.log(alpha)
  return (rate: number): boolean => logMixture - logLikelihood(events, trials, rate) >= logLimit
}

function logLikelihood(events: number, trials: number, p: number): number {
  const ofEvents = events === 0 ? 0 : events * Math.log(p)
  const ofOthers = events === trials ? 0 : (trials - events) * Math.log1p(-p)
  return ofEvents + ofOthers
}
