/** A share as a percentage of two digits that count, as in `0.12 %`. */
const describeShare = (share: number): string => `${PERCENT.format(share * 100)} %`

/** A count with its noun, as in `1 day` or `4,463 days`. */
export const describeCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${COUNT.format(count)} ${count === 1 ? noun : plural}`

/** A condition in one sentence, with the bounds of its rate. */
export function describeRate(condition: {
  label: string
  trials: number
  lower: number
  upper: number
  allowed: number
}): string {
  const { label, trials, lower, upper, allowed } = condition
  if (trials === 0) return `${label}: no pair has tested this yet.`
  const range =
    lower === 0 ? `at most ${describeShare(upper)}` : `${describeShare(lower)} to ${describeShare(upper)}`
  return `${label}: ${range} of pairs, where ${describeShare(allowed)} is allowed.`
}

const PERCENT = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
