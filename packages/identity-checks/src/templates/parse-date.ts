import { createRequire } from 'node:module'

/** The part of the package used here, which has no types. */
interface BikramSambat {
  /** @throws Error if there is no such date */
  toGreg_text(year: number, month: number, day: number): string
}
const { toGreg_text }: BikramSambat = createRequire(import.meta.url)('bikram-sambat')

/**
 * Years whose months have the same lengths in all published calendars: those of the packages `bikram-sambat`,
 * `nepali-date-converter` and `nepali-date-library` were compared. Later years are forecasts, which differ by a day.
 */
const BIKRAM_SAMBAT_YEARS = { first: 1992, last: 2083 }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A calendar, and the order of the parts of a date. */
export interface DateForm {
  readonly calendar: 'gregorian' | 'bikram_sambat'
  readonly order: 'ymd' | 'dmy' | 'mdy'
}

/**
 * Returns a date as YYYY-MM-DD of the Gregorian calendar. Returns null unless there is exactly one day, month and year of
 * four digits, and such a day exists: nothing is rolled over. Months of the Gregorian calendar may be English names.
 *
 * @param parts the numbers and names of months, in the order in which they are printed
 * @example
 * parseDate(['2045', '05', '12'], { calendar: 'bikram_sambat', order: 'ymd' }) // '1988-08-28'
 */
export function parseDate(parts: readonly string[], { calendar, order }: DateForm): string | null {
  if (parts.length !== order.length) return null
  const part = (name: string) => parts[order.indexOf(name)] ?? ''
  const [year, day] = [part('y'), part('d')]
  const month = calendar === 'gregorian' ? monthOf(part('m')) : part('m')
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null
  return calendar === 'gregorian'
    ? toGregorian(year, month, day)
    : fromBikramSambat(Number(year), Number(month), Number(day))
}

const monthOf = (text: string): string => {
  const index = /^[a-z]{3,9}$/i.test(text) ? MONTHS.indexOf(text.slice(0, 3).toLowerCase()) : -1
  return index === -1 ? text : String(index + 1)
}

function toGregorian(year: string, month: string, day: string): string | null {
  const iso = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso
}

function fromBikramSambat(year: number, month: number, day: number): string | null {
  if (year < BIKRAM_SAMBAT_YEARS.first || year > BIKRAM_SAMBAT_YEARS.last) return null
  try {
    return toGreg_text(year, month, day)
  } catch {
    // The month has no such day.
    return null
  }
}
