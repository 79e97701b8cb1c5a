import type { Manner } from './formats.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Numbers and times as `Intl` writes them, whose first use takes a browser tens of milliseconds: most of what a page takes to begin. */
export const enManner: Manner = {
  locale: 'en',
  units: { day: 'd', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' },
  integer: (value) => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
  time(at) {
    const hours = at.getHours()
    const clock = [hours % 12 || 12, twoDigits(at.getMinutes()), twoDigits(at.getSeconds())].join(':')
    const day = `${MONTHS[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`
    return `${day}, ${clock} ${hours < 12 ? 'AM' : 'PM'}`
  },
  day: (at) => `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`,
}
