import type { Manner } from './formats.ts'

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const enManner: Manner = {
  locale: 'en',
  units: { day: 'd', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' },
  time: (at) => time.format(at),
  day: (at) => day.format(at),
}
