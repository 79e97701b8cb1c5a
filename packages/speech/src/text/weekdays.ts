import { escapeSource } from './rules/rule.ts'

/** A Monday, from which the names of the days are taken. */
const MONDAY = Date.UTC(2026, 10, 30)
const DAY_MS = 86_400_000

export interface Weekdays {
  /** Source of a pattern of the names, long and short, without full stops, to be used with the flag `i`. */
  source: string
  /** From Monday on. */
  long: readonly string[]
  short: readonly string[]
}

const known = new Map<string, Weekdays>()

/** Names of the days of the week (CLDR), from Monday on. */
export function weekdaysOf(locale: string): Weekdays {
  const built = known.get(locale)
  if (built !== undefined) return built
  const names = (weekday: 'long' | 'short') => {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
    return Array.from({ length: 7 }, (_, day) => format.format(MONDAY + day * DAY_MS))
  }
  const long = names('long')
  const short = names('short').map((name) => name.replace(/\.$/, ''))
  const source = [...new Set([...long, ...short])]
    .toSorted((one, other) => other.length - one.length)
    .map(escapeSource)
    .join('|')
  const weekdays = { long, short, source }
  known.set(locale, weekdays)
  return weekdays
}
