import type { CalendarDate, Language } from '../language.ts'
import { replaceMatches, type SpokenText } from '../spoken-text.ts'
import { stopAfter, textAfter, textBefore } from './context.ts'
import type { Rule } from './rule.ts'

const YEAR_FIRST =
  /(?<![\d./-])(?<year>\d{4})(?<mark>[-/.।])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?![\d/-]|[.।]\d)/g
const YEAR_LAST =
  /(?<![\d./-])(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?![\d/-]|\.\d)/g
/** A date and a time as programs write them (ISO 8601): `2026-11-29T14:30:00Z`. */
const TIMESTAMP =
  /(?<![\p{L}\d./-])(?<date>\d{4}-\d{2}-\d{2})T(?<time>\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(?<zone>Z|[+-]\d{2}:?\d{2})?(?![\p{L}\d:.-])/gu
/** Words before the number of a section or the like, which in German looks like a date. Source of a pattern. */
export const GERMAN_NUMBERED =
  '(?:Kapiteln?|Unterkapiteln?|Abschnitte?n?|Absatz|Absätzen?|Punkte?n?|Ziffern?|Artikeln?|Anhang|Anlagen?|Abb\\.|Abbildung(?:en)?|Tab\\.|Tabellen?|Nr\\.|Nummern?|§|Version(?:en)?|Satz|Sätzen?|Aufgaben?|Übung(?:en)?|Lektion(?:en)?|Fragen?|Gleichung(?:en)?|Regeln?|Schritte?n?) '
/** In German, the month is an ordinal too: `31.12.`; sections are numbered in the same way. */
const GERMAN_DAY = new RegExp(
  String.raw`(?<![\d./§-]|(?<!\p{L})${GERMAN_NUMBERED})(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?!\d)`,
  'gu',
)
const DAYS = { bikram: 32, gregorian: 31 } as const

/** Checks a date, loosely enough for the months of Nepal's calendar, which have up to 32 days. */
const isDate = ({ year = 1, month = 1, day = 1 }: CalendarDate, language: Language): boolean =>
  year >= 1 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= (language.locale === 'ne' ? DAYS.bikram : DAYS.gregorian)

/** Speaks a date after the text `before`; undefined if there is no such date. */
export const sayDate = (date: CalendarDate, before: string, language: Language): string | undefined =>
  isDate(date, language) ? language.date(date, before) : undefined

/** A day and a month without a year, in the order of the language. */
export const dayMonth = (first: number, second: number, { dateOrder }: Language) =>
  dateOrder === 'mdy' ? { month: first, day: second } : { day: first, month: second }

/** Before a day, in the languages that write dates with full stops. */
const DAY_AFTER: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:am|vom|zum|den)\s$/iu,
  ru: /(?<!\p{L})(?:к|ко|на|дата)\s$/iu,
}
/** Two digits, each. */
const IS_PADDED = /^\d\d\D\d\d\D/

/** Whether the year of a date may have two digits, as with a slash. With other marks, the numbers may be a version or a code. */
function mayBeShort(match: RegExpExecArray, { locale, dateOrder }: Language): boolean {
  const [written] = match
  if (written.includes('/')) return true
  if (written.includes('.')) {
    const word = DAY_AFTER[locale]
    return word !== undefined && (IS_PADDED.test(written) || word.test(textBefore(match)))
  }
  // As banks of India write them. Before an account number stands that of a branch.
  return (
    dateOrder === 'dmy' &&
    !/^(?:de|ru)/.test(locale) &&
    IS_PADDED.test(written) &&
    !/^\s\d{6,8}(?!\d)/.test(textAfter(match))
  )
}

/** Years of two digits are those from 1969 to 2068 (POSIX, `strptime`, %y). */
export const fullYear = (year: number): number => year + (year < 69 ? 2000 : 1900)

/** The months of the Hijra (CLDR, islamic calendar). */
const HIJRI_MONTHS =
  'محرم|صفر|ربيع الأول|ربيع الآخر|جمادى الأولى|جمادى الآخرة|رجب|شعبان|رمضان|شوال|ذو القعدة|ذو الحجة'.split('|')
const HIJRI =
  /(?<![\d./-])(?:(?<year>1[2-5]\d{2})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})|(?<firstDay>\d{1,2})[-/.](?<secondMonth>\d{1,2})[-/.](?<lastYear>1[2-5]\d{2}))\s?هـ?(?![\p{L}\p{M}])/gu
/** Its months have at most 30 days. */
const HIJRI_DAYS = 30

const speakHijriDates = (spoken: SpokenText): SpokenText =>
  replaceMatches(spoken, HIJRI, ({ groups: { firstDay, secondMonth, lastYear, ...groups } = {} }) => {
    const { day = firstDay, month = secondMonth, year = lastYear } = groups
    const name = HIJRI_MONTHS[Number(month) - 1]
    if (name === undefined || Number(day) < 1 || Number(day) > HIJRI_DAYS) return undefined
    return `${Number(day)} ${name} ${year} هجرية`
  })

/** Parts a time stamp into a date, a time and an offset, which other rules speak. */
const partTimestamps = (spoken: SpokenText): SpokenText =>
  replaceMatches(spoken, TIMESTAMP, ({ groups: { date = '', time = '', zone = '' } = {} }) => {
    const offset = zone === '' ? '' : ` UTC${/^(?:Z|[+-]00:?00)$/.test(zone) ? '' : zone}`
    return `${date} ${time}${offset}`
  })

/** Reads dates in digits, with the order of the language's region unless only the other one gives a date. */
export const speakNumericDates: Rule = (spoken, language) => {
  const say = (match: RegExpExecArray, dates: readonly CalendarDate[]) =>
    dates.map((date) => sayDate(date, textBefore(match), language)).find((said) => said !== undefined)
  const stamped = partTimestamps(spoken)
  const hijri = language.locale === 'ar' ? speakHijriDates(stamped) : stamped
  const yearFirst = replaceMatches(hijri, YEAR_FIRST, (match) => {
    const { year, month, day } = match.groups ?? {}
    return say(match, [{ year: Number(year), month: Number(month), day: Number(day) }])
  })
  const yearLast = replaceMatches(yearFirst, YEAR_LAST, (match) => {
    const [all] = match
    const { year: written = '', ...numbers } = match.groups ?? {}
    const isShort = written.length === 2
    if (isShort && !mayBeShort(match, language)) return undefined
    const year = isShort ? fullYear(Number(written)) : Number(written)
    const [first, second] = [Number(numbers['first']), Number(numbers['second'])]
    const dayFirst = { year, month: second, day: first }
    const monthFirst = { year, month: first, day: second }
    return say(
      match,
      // With two digits, only the usual order tells a date from a version.
      isShort && language.dateOrder !== 'mdy' && !all.includes('/')
        ? [dayFirst]
        : language.dateOrder === 'mdy'
          ? [monthFirst, dayFirst]
          : [dayFirst, monthFirst],
    )
  })
  if (language.locale !== 'de') return yearLast
  return replaceMatches(yearLast, GERMAN_DAY, (match) => {
    const { month, day } = match.groups ?? {}
    const said = say(match, [{ month: Number(month), day: Number(day) }])
    return said && said + stopAfter(match)
  })
}
