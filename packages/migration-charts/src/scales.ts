export type Scale = (value: number) => number

/** Maps a domain to a range of pixels, evenly in what `by` makes of a value. */
export function scale(
  [least, most]: readonly [number, number],
  [from, to]: readonly [number, number],
  by: Scale = (value) => value,
): Scale {
  const [low, high] = [by(least), by(most)]
  return (value) => (high === low ? from : from + ((by(value) - low) / (high - low)) * (to - from))
}

/** The middles of rows, and how high each is, from the top. */
export function bands(count: number, [top, bottom]: readonly [number, number], padding = 0.25) {
  const step = (bottom - top) / Math.max(count, 1)
  return { height: step * (1 - padding), middle: (index: number) => top + step * (index + 0.5) }
}

/** Round numbers from 0 up to a number, about as many as asked for. The last is not below it. */
export function roundTicks(most: number, count: number): number[] {
  const rough = most / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step)
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const STEPS_MS = [
  ...[1, 5, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 5, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28, 56, 112, 224, 448].map((count) => count * DAY_MS),
]

/** Round times between two, in UTC, at most as many as asked for. */
export function timeTicks(from: Date, to: Date, most: number): Date[] {
  const spanMs = to.getTime() - from.getTime()
  const stepMs = STEPS_MS.find((step) => spanMs / step <= most) ?? spanMs
  const first = Math.ceil(from.getTime() / stepMs) * stepMs
  const count = Math.floor((to.getTime() - first) / stepMs) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => new Date(first + index * stepMs))
}

/** Label of a time on an axis, in UTC like all times of the charts: the day at midnight, otherwise the time of day. */
export function timeTick(time: Date, dayText: (day: Date) => string): string {
  const clock = time.toISOString().slice(11, 19)
  if (clock === '00:00:00') return dayText(time)
  return clock.endsWith(':00') ? clock.slice(0, 5) : clock
}
