import type { Language } from '../language.ts'
import { inflectOrdinal, isGermanOrdinal } from '../languages/german-ordinals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { stopAfter, textBefore } from './context.ts'
import { GERMAN_NUMBERED, sayDate } from './dates.ts'
import { dateOf, monthsOf, type NamedDate } from './named-date.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

/** Two days with a dash between them: `24.–26.12.`, `28.11.-3.12.2026`, `24.-26. Dezember`. */
function germanRange(months: readonly string[], language: Language): NamedDate {
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}.,§-]|(?<!\p{L})${GERMAN_NUMBERED})(?<from>\d{1,2})\.(?:(?<fromMonth>\d{1,2})\.| (?<fromName>${alternatives(months)}))? ?[-–] ?(?<day>\d{1,2})\.(?:(?<number>\d{1,2})\.(?:(?<otherYear>\d{4}|\d{2})(?!\d))?| ?(?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d))?)`,
      'gu',
    ),
    say(match) {
      const { from, fromMonth, fromName, number } = match.groups ?? {}
      const until = { ...dateOf(match, months), ...(number !== undefined && { month: Number(number) }) }
      const first = fromMonth === undefined ? fromName && months.indexOf(fromName) + 1 : Number(fromMonth)
      const before = `${language.symbols.to} `
      const start = { day: Number(from), ...(typeof first === 'number' && { month: first }) }
      const said = [sayDate(start, textBefore(match), language), sayDate(until, before, language)]
      return said.includes(undefined) ? undefined : said.join(` ${before}`) + stopAfter(match)
    },
  }
}

const rangeOf = perLanguage((language) => germanRange(monthsOf('de'), language))

/** Reads ranges of days in German, whose months may be ordinals, too. */
export const speakDayRanges: Rule = (spoken, language) => {
  if (language.locale !== 'de') return spoken
  const { pattern, say } = rangeOf(language)
  return replaceMatches(spoken, pattern, say)
}

export function german(language: Language): NamedDate[] {
  const months = monthsOf('de')
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,])(?<day>\d{1,2})\. ?(?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d))?`,
        'gu',
      ),
      say: (match) => sayDate(dateOf(match, months), textBefore(match), language),
    },
    {
      pattern: /(?<=\p{L} )(?<number>[1-9]\d{0,2})\.(?= (?<noun>\p{L}{1,24}))/gu,
      say(match) {
        const { number = '', noun = '' } = match.groups ?? {}
        const before = textBefore(match)
        return isGermanOrdinal(before + match[0], noun)
          ? inflectOrdinal(Number(number), before, noun)
          : undefined
      },
    },
  ]
}
