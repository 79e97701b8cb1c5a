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

const inDevanagari = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)))

/** पाठभित्रको पूर्ण सङ्ख्या। */
export const inDigits = (value: number): string =>
  inDevanagari(String(value).replaceAll(/\B(?=(?:\d\d)*\d{3}$)/g, ','))

const clock = (at: Date): string =>
  inDevanagari(
    [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':'),
  )

export const neManner: Manner = {
  locale: LOCALE,
  units: { day: 'दिन', hour: 'घण्टा', minute: 'मिनेट', second: 'सेकेन्ड', millisecond: 'मि.से.' },
  integer: inDigits,
  time: (at) =>
    `${inDevanagari(String(at.getFullYear()))} ${MONTHS[at.getMonth()]} ${inDevanagari(String(at.getDate()))}, ${clock(at)}`,
  day: (at) => `${MONTHS[at.getUTCMonth()]} ${inDevanagari(String(at.getUTCDate()))}`,
}
