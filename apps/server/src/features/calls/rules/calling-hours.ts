const MINUTES_OF_DAY = 1440
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY
const MINUTE_MS = 60_000
/** Clocks change at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A time of day in which people may be called, on some days of the week. */
export interface CallingWindow {
  readonly days: readonly Weekday[]
  /** Minutes since midnight by the clock on the wall: from the first of them until before the second. */
  readonly fromMinute: number
  readonly toMinute: number
}

/** `any` is always. */
export type CallingHours = 'any' | readonly CallingWindow[]

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, format)
  return format
}

/** Returns the minutes by which the clocks of a zone are ahead of UTC. */
function offsetMinutes(zone: string, atMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  const wallMs = Date.UTC(year, month - 1, day, hour, minute)
  return Math.round((wallMs - Math.floor(atMs / MINUTE_MS) * MINUTE_MS) / MINUTE_MS)
}

/** Returns the minute of the week, from Sunday midnight, on the wall of a zone. */
function wallMinute(zone: string, atMs: number): number {
  // 1970 began on a Thursday.
  const minutes = Math.floor(atMs / MINUTE_MS) + offsetMinutes(zone, atMs) + 4 * MINUTES_OF_DAY
  return ((minutes % MINUTES_OF_WEEK) + MINUTES_OF_WEEK) % MINUTES_OF_WEEK
}

const windowsOfWeek = (hours: readonly CallingWindow[]): readonly (readonly [number, number])[] =>
  hours.flatMap(({ days, fromMinute, toMinute }) =>
    days.map((day) => {
      const midnight = WEEKDAYS.indexOf(day) * MINUTES_OF_DAY
      return [midnight + fromMinute, midnight + toMinute] as const
    }),
  )

/** Returns the minutes until a window, by a clock that does not change; 0 within one. */
function minutesUntil(windows: readonly (readonly [number, number])[], minute: number): number {
  const waits = windows.map(([from, to]) =>
    minute >= from && minute < to ? 0 : (from - minute + MINUTES_OF_WEEK) % MINUTES_OF_WEEK,
  )
  return Math.min(...waits)
}

/** Whether a call may be made at a time: where it is one of the hours in each of the zones. */
export const isCallable = (hours: CallingHours, zones: readonly string[], atMs: number): boolean =>
  hours === 'any' || zones.every((zone) => minutesUntil(windowsOfWeek(hours), wallMinute(zone, atMs)) === 0)

/**
 * Returns the first time, from a given one on, at which a call may be made; undefined if the zones have no such time in common within
 * a week.
 */
export function nextCallable(
  hours: CallingHours,
  zones: readonly string[],
  fromMs: number,
): number | undefined {
  if (hours === 'any') return fromMs
  const windows = windowsOfWeek(hours)
  const untilMs = fromMs + MINUTES_OF_WEEK * MINUTE_MS
  for (let atMs = fromMs; atMs <= untilMs;) {
    const waits = zones.map((zone) => stepMs(windows, zone, atMs))
    const step = Math.max(0, ...waits)
    if (step === 0) return atMs
    atMs += step
  }
  return undefined
}

/** Returns how far the next time can be that may be callable in a zone; 0 if this one is. */
function stepMs(windows: readonly (readonly [number, number])[], zone: string, atMs: number): number {
  const wait = minutesUntil(windows, wallMinute(zone, atMs))
  if (wait === 0) return 0
  const thenMs = (Math.floor(atMs / MINUTE_MS) + wait) * MINUTE_MS
  // A change of the clocks in between may bring the window nearer.
  return offsetMinutes(zone, atMs) === offsetMinutes(zone, thenMs)
    ? thenMs - atMs
    : Math.min(thenMs, (Math.floor(atMs / QUARTER_MS) + 1) * QUARTER_MS) - atMs
}
