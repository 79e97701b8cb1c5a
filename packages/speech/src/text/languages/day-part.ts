import type { ClockTime } from '../language.ts'

/** Words for parts of the day, by the day periods of CLDR (supplemental/dayPeriods.xml). */
interface DayParts {
  /** From 12 AM. */
  midnight: string
  am: string
  /** From 12 PM. */
  noon: string
  pm: string
  evening: string
  /** Hour from which `evening` applies. */
  eveningFrom: number
}

/** Names the part of the day of a time with `am` or `pm`, and returns an empty string for other times. */
export function dayPart({ hour, half }: ClockTime, parts: DayParts): string {
  if (half === undefined) return ''
  if (hour === 12) return half === 'am' ? parts.midnight : parts.noon
  if (half === 'am') return parts.am
  return hour >= parts.eveningFrom ? parts.evening : parts.pm
}
