import { replaceMatches } from '../spoken-text.ts'
import { shortMonthsOf } from '../short-months.ts'
import { ENDS_SENTENCE } from './abbreviations.ts'
import { sayDate } from './dates.ts'
import { isNumbered } from './fractions.ts'
import { joinedLetters, perLanguage, type Rule } from './rule.ts'

/** A day, a short month, and a full stop or a year, without which the month may be a word: `3 mar`. English has a rule of its own. */
const shortDates = perLanguage(({ locale }) => {
  const months = locale.startsWith('en') ? undefined : shortMonthsOf(locale)
  if (months === undefined) return undefined
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}.,:/-])(?<day>\d{1,2})(?:[.º] ?| |-)(?:de )?(?<month>${months.source})(?![\p{L}\p{M}])(?:[.॰]?(?: |-)(?:de )?(?<year>\d{4})(?!\d)|[.॰](?! ?\d))`,
    'giu',
  )
  return { pattern, numbers: months.numbers }
})

/** A month of two digits and its year. A number of one digit is rather that of a law or a file: `3/2018`. */
const monthOfYear = perLanguage((language) => {
  const letters = joinedLetters(language)
  return new RegExp(
    String.raw`(?<![${letters}\p{N}./-])(?:(?<month>0[1-9]|1[0-2])\/|(?<padded>0[1-9])-)(?<year>(?:19|20)\d\d)(?![\d${letters}/-]|\.\d)`,
    'gu',
  )
})
const CONTEXT_UNITS = 16

/** Reads dates whose month is short or has no day: `3 ene. 2020`, `09/2024`. */
export const speakShortDates: Rule = (spoken, language) => {
  const short = shortDates(language)
  const named =
    short === undefined
      ? spoken
      : replaceMatches(spoken, short.pattern, ({ 0: written, index, groups = {} }) => {
          const { day, month = '', year } = groups
          const date = {
            day: Number(day),
            ...(year !== undefined && { year: Number(year) }),
            month: short.numbers.get(month.toLowerCase()) ?? 0,
          }
          const said = sayDate({ date, language, text: spoken.text, index })
          const end = index + written.length
          const isLast =
            written.endsWith('.') && ENDS_SENTENCE.test(spoken.text.slice(end, end + CONTEXT_UNITS))
          return said && isLast ? `${said}.` : said
        })
  // Russian would need the nominative, which CLDR has apart.
  if (language.locale === 'ru') return named
  return replaceMatches(named, monthOfYear(language), ({ index, groups = {} }) => {
    const { month, padded, year } = groups
    const before = named.text.slice(Math.max(0, index - CONTEXT_UNITS), index)
    if (isNumbered(before, language)) return undefined
    return language.date({ year: Number(year), month: Number(month ?? padded) }, before)
  })
}
