import { toCardinal, toOrdinal } from 'n2words/en-US'
import { defineLanguage } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import type { CalendarDate, ClockTime, Language } from '../language.ts'

const symbols = {
  minus: 'minus',
  plus: 'plus',
  to: 'to',
  and: 'and',
  at: 'at',
  dot: 'dot',
  slash: 'slash',
  dash: 'dash',
  underscore: 'underscore',
  colon: 'colon',
  equals: 'equals',
  question: 'question mark',
  hash: 'hash',
  percent: 'percent',
  tilde: 'tilde',
  by: 'by',
  power: 'to the power of {0}',
}

const SUFFIXES = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' } as const
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
export const englishOrdinal = (number: number): string => `${number}${SUFFIXES[ordinals.select(number)]}`

/** Years are read in halves, except for the first of this century: `19 90`, `19 oh 5`, `20 26`. */
export function englishYear(value: number): string {
  const [century, rest] = [Math.floor(value / 100), value % 100]
  if (value < 1100 || (value >= 2000 && value < 2010) || value >= 2100 || rest === 0) return String(value)
  return rest < 10 ? `${century} oh ${rest}` : `${century} ${rest}`
}

/** Engines read four digits such as `1985` as a year, unless a comma groups them. */
const groupUnlikeYears = (count: number): string | undefined =>
  count >= 1100 && count < 2200 ? count.toLocaleString('en') : undefined

function time({ hour, minute, second, half }: ClockTime): string {
  const ending = half === undefined ? '' : half === 'am' ? ' A.M' : ' P.M'
  const minutes = minute === 0 ? '' : minute < 10 ? ` oh ${minute}` : ` ${minute}`
  if (second !== undefined)
    return `${hour} ${minute === 0 ? '0 0' : minutes.trim()} and ${second} ${second === 1 ? 'second' : 'seconds'}${ending}`
  if (minute === 0 && ending === '')
    return hour >= 1 && hour <= 12 ? `${hour} o'clock` : `${hour === 0 ? 'zero' : hour} hundred hours`
  return `${hour}${minutes}${ending}`
}

const cent = { one: '{0} cent', other: '{0} cents' }
const CENTS: Language['cents'] = {
  USD: cent,
  AUD: cent,
  CAD: cent,
  NZD: cent,
  EUR: cent,
  KES: cent,
  GBP: { one: '{0} penny', other: '{0} pence' },
  INR: { one: '{0} paisa', other: '{0} paise' },
  NPR: { other: '{0} paisa' },
}
const dollars = { one: '{0} dollar', other: '{0} dollars' }

// Not from CLDR, whose first formatter takes 10 ms of each start.
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Written without a full stop in addresses. */
export const STREETS = [
  ['St', 'Street'],
  ['Rd', 'Road'],
  ['Ln', 'Lane'],
  ['Dr', 'Drive'],
  ['Ave', 'Avenue'],
  ['Blvd', 'Boulevard'],
  ['Ct', 'Court'],
  ['Pl', 'Place'],
  ['Sq', 'Square'],
  ['Hwy', 'Highway'],
  ['Pkwy', 'Parkway'],
  ['Expy', 'Expressway'],
] as const

/** Titles and references as in the Chicago Manual of Style, chapter 10; streets as in Publication 28 of the US Postal Service. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  'Dr.': 'Doctor',
  'Mr.': 'Mister',
  'Mrs.': 'Missus',
  'Ms.': 'Miz',
  'Prof.': 'Professor',
  'Gov.': 'Governor',
  'Gen.': 'General',
  'Col.': 'Colonel',
  'Sgt.': 'Sergeant',
  'Lt. Aa': 'Lieutenant Aa',
  'Capt. Aa': 'Captain Aa',
  'Maj. Aa': 'Major Aa',
  'Rev.': 'Reverend',
  'Rev. #': 'revision #',
  '# Aa Dr.': 'Drive.',
  '# Aa St.': 'Street.',
  'Aa St.': 'Street.',
  ...Object.fromEntries(STREETS.map(([short, full]) => [`# Aa ${short}`, full])),
  'Rd.': 'Road.',
  'Ln.': 'Lane.',
  'Hon.': 'Honorable',
  'Jr.': 'Junior.',
  'Ave.': 'Avenue.',
  'Blvd.': 'Boulevard.',
  'Mt.': 'Mount',
  'approx.': 'approximately',
  'dept.': 'department',
  'Dept.': 'Department',
  'vs.': 'versus',
  'e.g.': 'for example',
  'i.e.': 'that is',
  'etc.': 'et cetera.',
  'Inc.': 'Incorporated.',
  'Ltd.': 'Limited.',
  'Corp.': 'Corporation.',
  'ext. #': 'extension #',
  'Ext. #': 'Extension #',
  'No. #': 'number #',
  'no. #': 'number #',
  'Fig. #': 'figure #',
  'fig. #': 'figure #',
  'p. #': 'page #',
  'pp. #': 'pages #',
  'Vol. #': 'Volume #',
  'vol. #': 'volume #',
  'Ch. #': 'Chapter #',
  'ch. #': 'chapter #',
  'Rm. #': 'Room #',
  'Ste. #': 'Suite #',
  'Apt. #': 'Apartment #',
  'incl.': 'including',
  'excl.': 'excluding',
  'max. #': 'maximum #',
  'St. Aa': 'Saint Aa',
  ...Object.fromEntries(
    MONTHS.map((month) => [`${month.slice(0, month === 'September' ? 4 : 3)}. #`, `${month} #`]),
  ),
}

/** `31 thirty-seconds`, `1 over 500`. Other large numbers are rather codes. */
function fraction(over: number, under: number, count = String(over)): string | undefined {
  if (under > 100) return over === 1 ? `1 over ${under}` : undefined
  const part = under === 2 ? 'half' : under === 4 ? 'quarter' : toOrdinal(under)
  if (over === 1) return `${part === 'eighth' ? 'an' : 'a'} ${part}`
  return `${count} ${under === 2 ? 'halves' : `${part}s`}`
}

const FEET_AND_INCHES: NonNullable<Language['counters']>[number] = {
  pattern: /(?<![\p{L}\p{N}.,'’])(?<feet>\d)['’′] ?(?<inches>\d|1[01])["”″](?![\p{L}\p{N}])/gu,
  say: ({ groups: { feet, inches } = {} }) =>
    `${feet} ${feet === '1' ? 'foot' : 'feet'} ${inches} ${inches === '1' ? 'inch' : 'inches'}`,
}

function english(options: {
  locale: string
  dateOrder: Language['dateOrder']
  date: (words: { day: string; month: string; year: string }, before: string) => string
}): Language {
  return defineLanguage({
    locale: options.locale,
    symbols,
    dateOrder: options.dateOrder,
    date: (date: CalendarDate, before) =>
      options.date(
        {
          month: MONTHS[(date.month ?? 0) - 1] ?? '',
          day: date.day === undefined ? '' : englishOrdinal(date.day),
          year: date.year === undefined ? '' : englishYear(date.year),
        },
        before,
      ),
    time,
    agree: groupUnlikeYears,
    dollar: options.locale === 'en-AU' ? 'AUD' : 'USD',
    currencies: {
      [options.locale === 'en-AU' ? 'AUD' : 'USD']: dollars,
      GBP: { one: '{0} pound', other: '{0} pounds' },
      INR: { one: '{0} rupee', other: '{0} rupees' },
      NPR: { one: '{0} rupee', other: '{0} rupees' },
      JPY: { other: '{0} yen' },
      KRW: { other: '{0} won' },
    },
    counters: [FEET_AND_INCHES],
    hundredths: { join: ' and ' },
    cents: CENTS,
    fraction,
    part: ({ name, isHalf, unit }) => {
      const one = `${/^(?:[aeio]|hour)/.test(unit) ? 'an' : 'a'} ${unit}`
      return isHalf ? `half ${one}` : `${name} of ${one}`
    },
    fractions: nameSigns((over, under) => fraction(over, under, toCardinal(over)) ?? ''),
    scales: {
      k: 'thousand',
      K: 'thousand',
      m: 'million',
      M: 'million',
      b: 'billion',
      bn: 'billion',
      B: 'billion',
      tn: 'trillion',
      thousand: 'thousand',
      million: 'million',
      billion: 'billion',
      trillion: 'trillion',
      lakh: 'lakh',
      crore: 'crore',
    },
    // In this form every engine reads `A` as a letter, not as the article.
    spell: (letters) => [...letters].join(letters.includes('A') ? '.' : ' '),
    abbreviations: ABBREVIATIONS,
  })
}

const DETERMINED =
  /(?<!\p{L})(?:an?|any|the|this|that|my|your|his|her|our|their|each|every|next|last|['’]s)\s$/iu

/** Whether a text ends with a word in the place of an article. */
export const isDetermined = (before: string): boolean => DETERMINED.test(before)

/** `the 3rd of April 2025`, without the article after a word in its place. */
export const dayFirst = (
  { day, month, year }: { day: string; month: string; year: string },
  before: string,
): string =>
  [day === '' ? '' : `${isDetermined(before) ? '' : 'the '}${day} of`, month, year].filter(Boolean).join(' ')

export const ENGLISH: Readonly<Record<string, Language>> = {
  'en-US': english({
    locale: 'en',
    dateOrder: 'mdy',
    date: ({ day, month, year: inYear }) =>
      [day === '' ? month : `${month} ${day}`, inYear].filter(Boolean).join(day === '' ? ' ' : ', '),
  }),
  'en-GB': english({ locale: 'en-GB', dateOrder: 'dmy', date: dayFirst }),
  'en-AU': english({ locale: 'en-AU', dateOrder: 'dmy', date: dayFirst }),
}
