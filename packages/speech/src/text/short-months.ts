import { monthName } from './define-language.ts'
import { alternatives } from './rules/rule.ts'

/** Short names of the months, in order, by primary language. A slash separates ways to write one. */
const SHORT_MONTHS: Readonly<Record<string, string>> = {
  en: 'jan feb mar apr may jun jul aug sept/sep oct nov dec',
  es: 'ene feb mar abr may jun jul ago sept/sep/set oct nov dic',
  pt: 'jan fev mar abr mai jun jul ago set out nov dez',
  fr: 'janv/jan févr/fév mar avr mai juin juil août sept oct nov déc',
  de: 'jan feb/febr mär/mrz apr mai jun jul aug sept/sep okt nov dez',
  ru: 'янв февр/фев мар апр май июн июл авг сент/сен окт нояб/ноя дек',
  hi: 'जन फ़र/फर मार्च अप्रै मई जून जुल अग सित अक्टू/अक्तू नव दिस',
  sw: 'jan feb mac apr mei jun jul ago sep okt nov des',
}

export interface ShortMonths {
  /** Source of a pattern of the names, to be used with the flag `i`. */
  source: string
  /** Month by name in lower case, 1 to 12. */
  numbers: ReadonlyMap<string, number>
}

/** Short names of months in a language; undefined if it has none. */
export function shortMonthsOf(locale: string): ShortMonths | undefined {
  // A name that is as long as that of its month is no abbreviation, so its full stop ends the sentence: `le 5 mai. 12 …`.
  const months = SHORT_MONTHS[locale.split('-')[0] ?? '']
    ?.split(' ')
    .map((names, index) =>
      names.split('/').filter((name) => name !== monthName(locale, index + 1).toLowerCase()),
    )
  if (months === undefined) return undefined
  return {
    source: alternatives(months.flat()),
    numbers: new Map(months.flatMap((names, index) => names.map((name) => [name, index + 1]))),
  }
}
