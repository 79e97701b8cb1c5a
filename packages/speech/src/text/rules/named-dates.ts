import { monthName } from '../define-language.ts'
import type { Language } from '../language.ts'
import { dayFirst, englishOrdinal, englishYear } from '../languages/english.ts'
import { inflectOrdinal, isGermanOrdinal } from '../languages/german-ordinals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { ENDS_SENTENCE } from './abbreviations.ts'
import { sayDate, textBefore } from './dates.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

/** One way of writing dates with the month as a word. */
interface NamedDate {
  pattern: RegExp
  say(match: RegExpExecArray, text: string): string | undefined
}

const monthsOf = (locale: string): string[] =>
  Array.from({ length: 12 }, (_, index) => monthName(locale, index + 1))

/** Reads a match's groups as a date. */
function dateOf({ groups = {} }: RegExpExecArray, months: readonly string[]) {
  const { year, month, day } = groups
  const named = month === undefined ? -1 : months.indexOf(month)
  return {
    ...(year !== undefined && { year: Number(year) }),
    ...(month !== undefined && { month: named < 0 ? Number(month) : (named % 12) + 1 }),
    ...(day !== undefined && { day: Number(day) }),
  }
}

/** The rest of a year that was read in halves, after the first: `December 19 99`. */
const YEAR_IN_HALVES = String.raw`(?:(?<= 1[1-9]) (?:\d\d|oh \d)(?![\d:]|[.,]\d)|(?<= 20) [1-9]\d(?=$|[.,;:!?)](?!\d)))`

function english(language: Language): NamedDate[] {
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
  const say = (order: 'day' | 'month') => (match: RegExpExecArray, text: string) => {
    const date = dateOf(match, months)
    if (sayDate({ date, language, text, index: match.index }) === undefined) return undefined
    const [name, ordinal] = [monthName('en', date.month), englishOrdinal(date.day ?? 1)]
    const inYear = date.year === undefined ? '' : englishYear(date.year)
    if (order === 'day')
      return dayFirst({ day: ordinal, month: name, year: inYear }, textBefore(text, match.index))
    return `${name} ${ordinal}${inYear && `, ${inYear}`}`
  }
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?<month>${names})(?:\.? |-)${day}(?![\d\p{L}]|[.,:]\d)(?!${YEAR_IN_HALVES})${year}`,
        'gu',
      ),
      say: say('month'),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/-]|(?<!\d)(?:1[1-9]|20) )${day}(?: |-)(?:of )?(?<month>${names})(?!\p{L})\.?${year}`,
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

function german(language: Language): NamedDate[] {
  const months = monthsOf('de')
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,])(?<day>\d{1,2})\. ?(?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d))?`,
        'gu',
      ),
      say: (match, text) => sayDate({ date: dateOf(match, months), language, text, index: match.index }),
    },
    {
      pattern: /(?<=\p{L} )(?<number>[1-9]\d{0,2})\.(?= (?<noun>\p{L}{1,24}))/gu,
      say: ({ 0: written, index, groups: { number = '', noun = '' } = {} }, text) => {
        const before = textBefore(text, index)
        return isGermanOrdinal(before + written, noun)
          ? inflectOrdinal(Number(number), before, noun)
          : undefined
      },
    },
  ]
}

function russian(language: Language): NamedDate[] {
  const months = monthsOf('ru')
  /** The full stop of `г.`, if it ends the sentence, too. */
  const stopAfter = ({ 0: written, index }: RegExpExecArray, text: string) => {
    const end = index + written.length
    return written.endsWith('.') && ENDS_SENTENCE.test(text.slice(end, end + 16)) ? '.' : ''
  }
  const withStop = (said: string | undefined, match: RegExpExecArray, text: string) =>
    said === undefined ? undefined : said + stopAfter(match, text)
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,])(?<day>\d{1,2}) (?<month>${alternatives(months)})(?!\p{L})(?: (?<year>\d{4})(?!\d)(?: (?:года|г\.?)(?!\p{L}))?)?`,
        'gu',
      ),
      say: (match, text) =>
        withStop(sayDate({ date: dateOf(match, months), language, text, index: match.index }), match, text),
    },
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<year>\d{4}) (?<word>года|году|г\.)(?!\p{L})/gu,
      say(match, text) {
        const { word } = match.groups ?? {}
        const said = sayDate({ date: dateOf(match, months), language, text, index: match.index })
        // After the preposition в, the locative.
        const isLocative =
          word === 'году' || (word === 'г.' && /(?:^|\s)во?\s$/iu.test(textBefore(text, match.index)))
        const locative =
          said === undefined
            ? undefined
            : said.replace(/(?:ого|его) года$/, (ending) =>
                ending.startsWith('ого') ? 'ом году' : 'ем году',
              )
        return withStop(isLocative ? locative : said, match, text)
      },
    },
  ]
}

/** In Spanish and Portuguese, `de` joins the parts of a date, even where it is not written: `31 marzo 2020`, `junio 11, 2020`. */
function iberian(language: Language): NamedDate[] {
  const months = monthsOf(language.locale)
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/-])(?<day>\d{1,2}) (?<month>${alternatives(months)})(?!\p{L})(?: (?:de )?(?<year>\d{4})(?!\d))?`,
        'gu',
      ),
      say: (match, text) => sayDate({ date: dateOf(match, months), language, text, index: match.index }),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?<month>${alternatives(months)}) (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)`,
        'gu',
      ),
      say: (match, text) => sayDate({ date: dateOf(match, months), language, text, index: match.index }),
    },
  ]
}

/** Between days, years and the like, with their names between: `1月1日〜3日`, `5-9日`, `月〜金`. */
const EAST_ASIAN_RANGE =
  /[~〜～](?<=(?:\d\p{sc=Han}{0,3}|[年月日火水木金土][）)]?)[~〜～])(?=\d|[月火水木金土日](?!\p{L})|\p{sc=Han}{1,3}\d)|[-–](?<=(?<![\d-])\d{1,4}[-–])(?=\d{1,4}[年月日号](?![-–]))/gu

const eastAsian = (language: Language): NamedDate[] => [
  { pattern: EAST_ASIAN_RANGE, say: () => language.symbols.to },
  {
    pattern: /(?:(?<year>\d{4})年)?(?:(?<month>\d{1,2})月)?(?:(?<day>\d{1,2})[日号])?(?<=[年月日号])/g,
    say(match, text) {
      if (match[0] === '') return undefined
      const said = sayDate({ date: dateOf(match, []), language, text, index: match.index })
      return match[0].endsWith('号') ? said?.replace(/日$/, '号') : said
    },
  },
]

const LANGUAGES: Readonly<Record<string, (language: Language) => NamedDate[]>> = {
  en: english,
  de: german,
  es: iberian,
  pt: iberian,
  ru: russian,
  ja: eastAsian,
  zh: eastAsian,
}

const namedDates = perLanguage((language) => {
  const [base = ''] = language.locale.split('-')
  return LANGUAGES[base]?.(language) ?? []
})

/** Reads dates whose month is a word, in the languages in which days or years are no cardinal numbers. */
export const speakNamedDates: Rule = (spoken, language) =>
  namedDates(language).reduce(
    (said, { pattern, say }) => replaceMatches(said, pattern, (match) => say(match, said.text)),
    spoken,
  )
