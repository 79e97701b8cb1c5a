import { z } from 'zod'
import { type CallingHours, WEEKDAYS } from '../rules/calling-hours.ts'

const TIME = /^(?<hours>[01]\d|2[0-4]):(?<minutes>[0-5]\d)$/
const MINUTES_OF_DAY = 1440

/** A time of day as `08:30`, up to `24:00`, in minutes. */
const minuteSchema = z.string().transform((text, context) => {
  const { hours, minutes } = TIME.exec(text)?.groups ?? {}
  const minute = Number(hours) * 60 + Number(minutes)
  if (minute <= MINUTES_OF_DAY) return minute
  context.addIssue('must be a time of day, such as 08:30')
  return z.NEVER
})

const windowSchema = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .default([...WEEKDAYS]),
    from: minuteSchema,
    to: minuteSchema,
  })
  .refine(({ from, to }) => from < to, { error: 'from must be before to' })

/** When people may be called, by the clocks on their walls. */
export const hoursSchema = z.union([z.literal('any'), z.array(windowSchema).min(1)])

export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, { error: 'must be a time zone, such as Asia/Kathmandu' })

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const toHours = (hours: z.output<typeof hoursSchema>): CallingHours =>
  hours === 'any' ? hours : hours.map(({ days, from, to }) => ({ days, fromMinute: from, toMinute: to }))

/** 8 to 21 o'clock on every day: the law for calls that sell in the United States, 47 CFR 64.1200 (c)(1). */
export const DEFAULT_HOURS: CallingHours = [{ days: WEEKDAYS, fromMinute: 8 * 60, toMinute: 21 * 60 }]
