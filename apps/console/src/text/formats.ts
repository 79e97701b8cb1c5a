const SIZES = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const
const TIMES = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const

export type TimeUnit = 'day' | (typeof TIMES)[number][0]

/** What languages differ in. */
export interface Manner {
  /** The locale of numbers. */
  readonly locale: string
  readonly units: Readonly<Record<TimeUnit, string>>
  /** A whole number of at most 15 digits. */
  readonly integer: (value: number) => string
  /** A moment where the person is. */
  readonly time: (at: Date) => string
  /** A day in UTC, without its year. */
  readonly day: (at: Date) => string
}

/** How a language writes numbers and times. Ids, codes, versions and phone numbers are written alike in all. */
export interface Formats extends Pick<Manner, 'units' | 'time' | 'day'> {
  /** A number with at most three digits after the point. */
  readonly number: (value: number) => string
  /** A number with just so many digits after the point. */
  readonly fixed: (value: number, digits: number) => string
  readonly twoDigits: (value: number) => string
  /** A share of 1 as a percentage of two digits that count. */
  readonly share: (value: number) => string
  readonly span: (value: number, unit: TimeUnit) => string
  /** A duration of three digits that count, in the unit that suits it, or in whole milliseconds. A dash if it was not measured. */
  readonly duration: (ms: number | null) => string
  readonly size: (bytes: number) => string
}

export function createFormats({ locale, units, integer, time, day }: Manner): Formats {
  const format = (options: Intl.NumberFormatOptions) => {
    let numbers: Intl.NumberFormat | undefined
    return (value: number): string => (numbers ??= new Intl.NumberFormat(locale, options)).format(value)
  }
  const decimal = format({})
  const isWhole = (value: number) => Number.isSafeInteger(value) && !Object.is(value, -0)
  const number = (value: number): string => (isWhole(value) ? integer(value) : decimal(value))
  const precise = format({ maximumSignificantDigits: 3 })
  return {
    units,
    time,
    day,
    number,
    fixed: (value, digits) =>
      format({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false })(value),
    twoDigits: format({ minimumIntegerDigits: 2 }),
    share: format({ style: 'percent', maximumSignificantDigits: 2 }),
    span: (value, unit) => `${number(value)} ${units[unit]}`,
    duration(ms) {
      if (ms === null) return '–'
      const [unit, length] = TIMES.find(([, length]) => ms >= length) ?? ['millisecond', 1]
      return `${precise(length === 1 && ms >= 1 ? Math.round(ms) : ms / length)} ${units[unit]}`
    },
    size(bytes) {
      const [unit, length] = SIZES.find(([, length]) => bytes >= length) ?? ['kB', 1e3]
      return `${precise(bytes / length)} ${unit}`
    },
  }
}
