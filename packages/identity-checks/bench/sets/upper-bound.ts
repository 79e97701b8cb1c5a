const DOUBT = 0.05

/**
 * Computes the highest rate consistent with this number of events in independent trials, with 95 % confidence: the exact
 * one-sided binomial bound of Clopper and Pearson. Without events it is about 3 / trials.
 */
export function upperBound(events: number, trials: number): number {
  if (events >= trials) return 1
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step++) {
    const rate = (low + high) / 2
    if (probabilityOfAtMost(events, { trials, rate }) > DOUBT) low = rate
    else high = rate
  }
  return high
}

function probabilityOfAtMost(events: number, { trials, rate }: { trials: number; rate: number }): number {
  // Use logarithms, because the power over a thousand trials would underflow.
  let log = trials * Math.log1p(-rate)
  let sum = Math.exp(log)
  for (let event = 0; event < events; event++) {
    log += Math.log(((trials - event) / (event + 1)) * (rate / (1 - rate)))
    sum += Math.exp(log)
  }
  return sum
}

/** Formats the bound, as in "at most 1 in 365". */
export const describeBound = (events: number, trials: number): string =>
  `at most 1 in ${Math.floor(1 / upperBound(events, trials))}`
