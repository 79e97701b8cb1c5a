import type { CalendarDate, Language } from '../language.ts'
import { replaceMatches, type SpokenText } from '../spoken-text.ts'
import { ENDS_SENTENCE } from './abbreviations.ts'
import type { Rule } from './rule.ts'

const YEAR_FIRST =
  /(?<![\d./-])(?<year>\d{4})(?<mark>[-/.।])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?![\d/-]|[.।]\d)/g
const YEAR_LAST =
  /(?<![\d./-])(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|(?<=\/)\d{2})(?![\d/-]|\.\d)/g
/** In German, the month is an ordinal too: `31.12.`; sections are numbered in the same way. */
const GERMAN_DAY =
  /(?<![\d./§-]|(?:Kapitel|Abschnitt|Absatz|Punkt|Ziffer|Artikel|Anhang|Abb\.|Nr\.|§) )(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?!\d)/g
const DAYS = { bikram: 32, gregorian: 31 } as const
/** Text before a date that its inflection may depend on. */
const BEFORE_UNITS = 40

/** Checks a date, loosely enough for the months of Nepal's calendar, which have up to 32 days. */
const isDate = ({ year = 1, month = 1, day = 1 }: CalendarDate, language: Language): boolean =>
  year >= 1 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= (language.locale === 'ne' ? DAYS.bikram : DAYS.gregorian)

export const textBefore = (text: string, index: number): string =>
  text.slice(Math.max(0, index - BEFORE_UNITS), index)

/** Speaks the date at `index` of a text; undefined if there is no such date. */
export const sayDate = (options: {
  date: CalendarDate
  language: Language
  text: string
  index: number
}): string | undefined => {
  const { date, language, text, index } = options
  return isDate(date, language) ? language.date(date, textBefore(text, index)) : undefined
}

/** Years of two digits are those from 1969 to 2068 (POSIX, `strptime`, %y). */
const fullYear = (year: number): number => year + (year < 69 ? 2000 : 1900)

/** Reads dates in digits, with the order of the language's region unless only the other one gives a date. */
export const speakNumericDates: Rule = (spoken, language) => {
  const say = ({ text }: SpokenText, index: number, dates: readonly CalendarDate[]) =>
    dates.map((date) => sayDate({ date, language, text, index })).find((said) => said !== undefined)
  const yearFirst = replaceMatches(spoken, YEAR_FIRST, ({ groups, index }) =>
    say(spoken, index, [
      { year: Number(groups?.['year']), month: Number(groups?.['month']), day: Number(groups?.['day']) },
    ]),
  )
  const yearLast = replaceMatches(yearFirst, YEAR_LAST, ({ groups, index }) => {
    const written = groups?.['year'] ?? ''
    const year = written.length === 2 ? fullYear(Number(written)) : Number(written)
    const [first, second] = [Number(groups?.['first']), Number(groups?.['second'])]
    const dayFirst = { year, month: second, day: first }
    const monthFirst = { year, month: first, day: second }
    return say(
      yearFirst,
      index,
      language.dateOrder === 'mdy' ? [monthFirst, dayFirst] : [dayFirst, monthFirst],
    )
  })
  if (language.locale !== 'de') return yearLast
  return replaceMatches(yearLast, GERMAN_DAY, ({ groups, index, 0: written }) => {
    const end = index + written.length
    const said = say(yearLast, index, [{ month: Number(groups?.['month']), day: Number(groups?.['day']) }])
    return said && ENDS_SENTENCE.test(yearLast.text.slice(end, end + 16)) ? `${said}.` : said
  })
}
