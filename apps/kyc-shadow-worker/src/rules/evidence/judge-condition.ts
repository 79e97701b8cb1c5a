import type { ConditionState } from '@vaani/contracts/migration'
import { boundRate, type Bounds, type Tally } from './rate-bounds.ts'

/** A rate that has to stay within what is allowed, such as that of pairs whose decisions contradict each other. */
export interface Condition {
  readonly tally: Tally
  /** Above 0 and below 1. */
  readonly allowed: number
  /** How often the primary differs from itself when it is asked twice. Null if nobody measured it. */
  readonly noise: Tally | null
  /** What somebody has to do before any further pair can test it, as a sentence without its full stop. */
  readonly obstacle?: string
}

export interface Judgement {
  readonly state: ConditionState
  /** Of the rate; of its excess over the noise if that is measured. */
  readonly bounds: Bounds
  /** Trials that are missing to meet it if everything goes on as observed. 0 if it is met, null if it never will be. */
  readonly missingTrials: number | null
}

export interface Alphas {
  /** Probability of ever calling a condition met that is not. */
  readonly met: number
  /** Probability of ever calling a condition broken that is not. */
  readonly broken: number
}

/** No run takes more. */
const MOST_TRIALS = 2 ** 40

/** Judges a condition, as often as anybody likes: the alphas hold for all looks together. */
export function judgeCondition(condition: Condition, alphas: Alphas): Judgement {
  const bounds = {
    lower: boundExcess(condition, alphas.broken).lower,
    upper: boundExcess(condition, alphas.met).upper,
  }
  const { allowed } = condition
  if (bounds.upper <= allowed) return { state: 'met', bounds, missingTrials: 0 }
  return {
    state: bounds.lower > allowed ? 'broken' : 'open',
    bounds,
    missingTrials: countMissing(condition, alphas.met),
  }
}

/** Each side of the difference may miss with half of alpha. */
function boundExcess({ tally, allowed, noise }: Condition, alpha: number): Bounds {
  if (noise === null) return boundRate(tally, { alpha, narrowestAt: allowed })
  const halved = { alpha: alpha / 2, narrowestAt: allowed }
  const [rate, floor] = [boundRate(tally, halved), boundRate(noise, halved)]
  return { lower: Math.max(0, rate.lower - floor.upper), upper: Math.max(0, rate.upper - floor.lower) }
}

function countMissing({ tally, allowed, noise }: Condition, alpha: number): number | null {
  const { events, trials } = tally
  const rate = trials === 0 ? 0 : events / trials
  const isMetAt = (more: number): boolean => {
    const later = { events: events + Math.ceil(rate * more), trials: trials + more }
    return boundExcess({ tally: later, allowed, noise }, alpha).upper <= allowed
  }
  let enough = 1
  while (!isMetAt(enough)) {
    enough *= 2
    if (enough > MOST_TRIALS) return null
  }
  let tooFew = Math.floor(enough / 2)
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (isMetAt(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
