const MONTHS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Label of a time on an axis, in UTC like all times of the report: the day at midnight, otherwise the time of day. */
export function timeTick(time: Date): string {
  const clock = time.toISOString().slice(11, 19)
  if (clock === '00:00:00') return MONTHS.format(time)
  return clock.endsWith(':00') ? clock.slice(0, 5) : clock
}
