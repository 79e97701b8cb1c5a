import type { Manner } from './formats.ts'

/** Chromium knows no Nepali, and would write English. Nepal groups digits as India does: 12,34,567. */
const LOCALE = 'en-IN-u-nu-deva'
const MONTHS = [
  'जनवरी',
  'फेब्रुअरी',
  'मार्च',
  'अप्रिल',
  'मे',
  'जुन',
  'जुलाई',
  'अगस्ट',
  'सेप्टेम्बर',
  'अक्टोबर',
  'नोभेम्बर',
  'डिसेम्बर',
]

const numbers = new Intl.NumberFormat(LOCALE)
/** पाठभित्रको सङ्ख्या। */
export const inDigits = (value: number): string => numbers.format(value)

const digits = new Intl.NumberFormat(LOCALE, { useGrouping: false })
const twoDigits = new Intl.NumberFormat(LOCALE, { minimumIntegerDigits: 2 })
const clock = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => twoDigits.format(part)).join(':')

export const neManner: Manner = {
  locale: LOCALE,
  units: { day: 'दिन', hour: 'घण्टा', minute: 'मिनेट', second: 'सेकेन्ड', millisecond: 'मि.से.' },
  time: (at) =>
    `${digits.format(at.getFullYear())} ${MONTHS[at.getMonth()]} ${digits.format(at.getDate())}, ${clock(at)}`,
  day: (at) => `${MONTHS[at.getUTCMonth()]} ${digits.format(at.getUTCDate())}`,
}
