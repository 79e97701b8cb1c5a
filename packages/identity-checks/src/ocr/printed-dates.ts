import type { Mrz } from '../mrz/parse-mrz.ts'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** No document is valid for longer, so a date that is further before the expiry is not that of the issue. */
const LONGEST_VALIDITY_YEARS = 16

interface PrintedDate {
  /** YYYY-MM-DD. Two if the day and the month may be either way round. */
  readonly readings: readonly string[]
  readonly hasCentury: boolean
}

const YEAR = String.raw`(\d{4}|\d{2})(?!\d)`
/** Forms of dates in capital letters. Documents in two languages print the month in both. */
const NAMED_MONTH = new RegExp(
  String.raw`(?<!\d)(\d{1,2})[ ./-]*([A-Z]{3,9})(?: ?/ ?\S{3,9})?[ ./-]*${YEAR}`,
  'g',
)
const MONTH_FIRST = /(?<![A-Z])([A-Z]{3,9})[ .]*(\d{1,2}),? *(\d{4})(?!\d)/g
const NUMBERS = new RegExp(String.raw`(?<!\d)(\d{1,2})([ ./-])(\d{1,2})\2${YEAR}`, 'g')
const YEAR_FIRST = /(?<!\d)(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?!\d)/g

function toReading(year: string, month: number, day: string): string[] {
  // Any century will do for two digits; the year 2000 has every day.
  const iso = [year.padStart(4, '20'), String(month).padStart(2, '0'), day.padStart(2, '0')].join('-')
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? [] : [iso]
}
const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3)) + 1

/** Finds the dates in a text of capital letters. One in a language other than English is found if its month is a number. */
function findDates(text: string): PrintedDate[] {
  const found = [
    ...Array.from(text.matchAll(NAMED_MONTH), ([, day = '', month = '', year = '']) => ({
      readings: toReading(year, monthOf(month), day),
      hasCentury: year.length === 4,
    })),
    ...Array.from(text.matchAll(MONTH_FIRST), ([, month = '', day = '', year = '']) => ({
      readings: toReading(year, monthOf(month), day),
      hasCentury: true,
    })),
    ...Array.from(text.matchAll(NUMBERS), ([, first = '', , second = '', year = '']) => ({
      readings: [...toReading(year, Number(second), first), ...toReading(year, Number(first), second)],
      hasCentury: year.length === 4,
    })),
    ...Array.from(text.matchAll(YEAR_FIRST), ([, year = '', , month = '', day = '']) => ({
      readings: toReading(year, Number(month), day),
      hasCentury: true,
    })),
  ]
  return found.filter(({ readings }) => readings.length > 0)
}

/**
 * Returns which date of the machine-readable zone is printed differently, or null. Labels are too small to be read, so the
 * kind of a date is told by its time: nothing on a document is later than its expiry, and nothing is long before its issue but
 * the birth. If the zone's own date is anywhere on the page, others may be anything.
 *
 * @param page.sure the words that were read with certainty
 */
export function findOtherDate(
  page: { readonly text: string; readonly sure: string },
  { dateOfBirth, expiryDate }: Pick<Mrz, 'dateOfBirth' | 'expiryDate'>,
): 'date_of_birth' | 'expiry_date' | null {
  if (dateOfBirth === null || expiryDate === null) return null
  const printed = findDates(page.text)
  const isPrinted = (date: string) =>
    printed.some(({ readings }) => readings.some((reading) => reading.slice(2) === date.slice(2)))
  const others = findDates(page.sure).filter(({ hasCentury }) => hasCentury)
  const isOther = (isOfKind: (reading: string) => boolean) =>
    others.some(({ readings }) => readings.every(isOfKind))
  const longBefore = `${Number(expiryDate.slice(0, 4)) - LONGEST_VALIDITY_YEARS}${expiryDate.slice(4)}`
  if (!isPrinted(dateOfBirth) && isOther((date) => date >= '1900' && date < longBefore))
    return 'date_of_birth'
  if (!isPrinted(expiryDate) && isOther((date) => date > expiryDate && date < '2100')) return 'expiry_date'
  return null
}
