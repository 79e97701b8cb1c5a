/** A share as a percentage of two digits that count, as in `0.12 %`. */
export const describeShare = (share: number): string => `${PERCENT.format(share * 100)} %`

/** A count with its noun, as in `1 day` or `4,463 days`. */
export const describeCount = (count: number, noun: string): string =>
  `${COUNT.format(count)} ${noun}${count === 1 ? '' : 's'}`

const PERCENT = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
