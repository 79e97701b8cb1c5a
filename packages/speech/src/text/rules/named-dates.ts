import type { Language } from '../language.ts'
import { replaceMatches } from '../spoken-text.ts'
import { textBefore } from './context.ts'
import { sayDate } from './dates.ts'
import { english } from './english-dates.ts'
import { german } from './german-dates.ts'
import { dateOf, monthsOf, type NamedDate } from './named-date.ts'
import { russian } from './russian-dates.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

/** In Spanish and Portuguese, `de` joins the parts of a date, even where it is not written: `31 marzo 2020`, `junio 11, 2020`. */
function iberian(language: Language): NamedDate[] {
  const months = monthsOf(language.locale)
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}.,:/-])(?<day>\d{1,2}) (?<month>${alternatives(months)})(?!\p{L})(?: (?:de )?(?<year>\d{4})(?!\d))?`,
        'gu',
      ),
      say: (match) => sayDate(dateOf(match, months), textBefore(match), language),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?<month>${alternatives(months)}) (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)`,
        'gu',
      ),
      say: (match) => sayDate(dateOf(match, months), textBefore(match), language),
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
    say(match) {
      if (match[0] === '') return undefined
      const said = sayDate(dateOf(match, []), textBefore(match), language)
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
  namedDates(language).reduce((said, { pattern, say }) => replaceMatches(said, pattern, say), spoken)
