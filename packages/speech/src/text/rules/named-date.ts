import { monthName } from '../define-language.ts'
import { fullYear } from './dates.ts'

/** One way of writing dates with the month as a word. */
export interface NamedDate {
  pattern: RegExp
  say(match: RegExpExecArray): string | undefined
}

export const monthsOf = (locale: string): string[] =>
  Array.from({ length: 12 }, (_, index) => monthName(locale, index + 1))

/** Reads a match's groups as a date. A pattern names a second place of the year `otherYear`, because Node 22 refuses names that repeat. */
export function dateOf({ groups = {} }: RegExpExecArray, months: readonly string[]) {
  const { otherYear, year = otherYear, month, day } = groups
  const named = month === undefined ? -1 : months.indexOf(month)
  return {
    ...(year !== undefined && { year: year.length === 2 ? fullYear(Number(year)) : Number(year) }),
    ...(month !== undefined && { month: named < 0 ? Number(month) : (named % 12) + 1 }),
    ...(day !== undefined && { day: Number(day) }),
  }
}
