import { monthName } from '../define-language.ts'
import type { Language } from '../language.ts'
import { dayFirst, englishOrdinal, englishYear, isDetermined } from '../languages/english.ts'
import { stopAfter, textBefore } from './context.ts'
import { sayDate } from './dates.ts'
import { dateOf, monthsOf, type NamedDate } from './named-date.ts'
import { alternatives } from './rule.ts'

/** The rest of a year that was read in halves, after the first: `December 19 99`. */
const YEAR_IN_HALVES = String.raw`(?:(?<= 1[1-9]) (?:\d\d|oh \d)(?![\d:]|[.,]\d)|(?<= 20) [1-9]\d(?=$|[.,;:!?)](?!\d)))`

/** The rest of a date whose year has two digits, as banks write it: `29-Nov-26`, `29 Nov 26 at`. Other numbers may count what follows. */
const SHORT_YEAR = String.raw`[ -](?<otherYear>\d\d)(?:(?<=\d-\p{L}{3,9}-\d\d)(?![\d\p{L}-]|[.,:/]\d)|(?<=\d \p{L}{3,9} \d\d)(?=$|[.;:!?)](?!\d)|,(?! ?\d)| \d\d:\d\d|\s(?:at|to|by|for|from|via|on|is|was)(?![\p{L}\d]|\s\d{1,2}(?![\d:]))))`

/** The dash between two days of a month, and between two dates: `Nov 28-30`, `28-30 November`, `June 3 - July 5`. */
function englishRanges(names: string, language: Language): NamedDate[] {
  const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`
  const inYear = String.raw`(?:,? \d{4})?`
  const { to } = language.symbols
  const ordered = ({ groups: { from, until } = {} }: RegExpExecArray) =>
    Number(from) >= 1 && Number(from) < Number(until) && Number(until) <= 31
  return [
    {
      pattern: new RegExp(
        String.raw` ?[-–] ?(?<=(?<![\p{L}\p{N}])(?:(?:${names})\.? ${day}|(?<!\d)${day} (?:${names})\.?)${inYear} ?[-–] ?)(?=(?:(?:${names})\.? ${day}|${day} (?:${names}))(?![\p{L}\p{N}]))`,
        'gu',
      ),
      say: () => ` ${to} `,
    },
    {
      pattern: new RegExp(
        String.raw`(?<=(?<![\p{L}\p{N}])(?:${names})\.? (?<from>\d{1,2})(?:st|nd|rd|th)?) ?[-–] ?(?<until>\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d-]|[.,:/]\d| ?(?:[ap]\.?m|%)| \p{Ll}{3,20}s(?!\p{L}))(?:,? (?<year>\d{4})(?!\d|,\d))?`,
        'gu',
      ),
      say: (match) => {
        const { until, year } = match.groups ?? {}
        const last = ` ${to} ${englishOrdinal(Number(until))}`
        if (!ordered(match)) return undefined
        return year === undefined ? last : `${last}, ${englishYear(Number(year))}`
      },
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/$€£₹-])(?<from>\d{1,2})(?:st|nd|rd|th)? ?[-–] ?(?=(?<until>\d{1,2})(?:st|nd|rd|th)? (?:${names})(?!\p{L}))`,
        'gu',
      ),
      say: (match) => {
        if (!ordered(match)) return undefined
        const from = englishOrdinal(Number(match.groups?.['from']))
        return `${isDetermined(textBefore(match)) ? '' : 'the '}${from} ${to} `
      },
    },
  ]
}

export function english(language: Language): NamedDate[] {
  const short = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ')
  const written = [...monthsOf('en'), ...short, ...short.map((name) => name.slice(0, 3))]
  const months = [
    ...written,
    ...written.map((name) => name.toLowerCase()),
    ...written.map((name) => name.toUpperCase()),
  ]
  // In other letters, these are rather words.
  const names = alternatives(
    [...new Set(months)].filter((name) => !/^(?:mar|march|may|MAR|MARCH|MAY)$/.test(name)),
  )
  const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
  const year = String.raw`(?:(?:,? |-)(?<year>\d{4})(?!\d|,\d))?`
  const anyYear = String.raw`(?:(?:,? |-)(?<year>\d{4})(?!\d|,\d)|${SHORT_YEAR})?`
  const say = (order: 'day' | 'month') => (match: RegExpExecArray) => {
    const date = dateOf(match, months)
    const before = textBefore(match)
    if (sayDate(date, before, language) === undefined) return undefined
    const [name, ordinal] = [monthName('en', date.month), englishOrdinal(date.day ?? 1)]
    const inYear = date.year === undefined ? '' : englishYear(date.year)
    if (order === 'day') {
      const isShort = match.groups?.['month']?.toLowerCase() !== name.toLowerCase()
      // After a name in full, the full stop is that of the sentence.
      const stop = isShort ? stopAfter(match) : match[0].endsWith('.') ? '.' : ''
      return dayFirst({ day: ordinal, month: name, year: inYear }, before) + stop
    }
    return `${name} ${ordinal}${inYear && `, ${inYear}`}`
  }
  return [
    ...englishRanges(names, language),
    {
      // As banks write it in messages: `29Nov26`.
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/-])(?<day>\d{1,2})(?<month>${names})(?<year>(?:20)?\d{2})(?![\p{L}\p{N}-])`,
        'gu',
      ),
      say: say('day'),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}]|(?<!\d)\d{1,2}(?:(?:st|nd|rd|th)(?: of)?)?[ -])(?<month>${names})(?:\.? |-)${day}(?![\d\p{L}]|[.,:/]\d)(?!${YEAR_IN_HALVES})${year}`,
        'gu',
      ),
      say: say('month'),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/-]|(?<!\d)(?:1[1-9]|20) )${day}(?: |-)(?:of )?(?<month>${names})(?!\p{L})\.?${anyYear}`,
        'gu',
      ),
      say: say('day'),
    },
    {
      pattern: new RegExp(
        String.raw`(?<=(?<![\p{L}\p{N}])(?:${names}),? )(?:1[1-9]\d\d|20[1-9]\d)(?![\d%\p{L}]|[.,:/-]\d)`,
        'gu',
      ),
      say: ([year]) => englishYear(Number(year)),
    },
  ]
}
