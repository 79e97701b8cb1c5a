import type { Language } from '../language.ts'
import { monthName } from '../define-language.ts'
import { replaceMatches } from '../spoken-text.ts'
import { shortMonthsOf } from '../short-months.ts'
import { weekdaysOf } from '../weekdays.ts'
import { ENDS_SENTENCE } from './abbreviations.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

/** Other short names than those of CLDR, by the place of the day. */
const MORE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { Tues: 1, Weds: 2, Thur: 3, Thurs: 3 },
  es: { mie: 2, sab: 5 },
  pt: { sab: 5 },
}
/** Those that are no words. Others need what stands beside them to say so. */
const NO_WORDS: Readonly<Record<string, string>> = { en: 'Tue|Tues|Thu|Thur|Thurs' }
/** Those that may end a sentence as words: `the Sun. 5 came`. */
const WORDS = /^(?:Sun|Sat|mar|jeu)$/i
/** Between the first and the last day, and between days of a list. */
const UNTIL = 'to|through|thru|al?|à|au|até|bis|по'
const AND = String.raw`, ?| ?& ?|\/| (?:and|or|y|o|e|ou|et|und|oder|и|или) `

/** Days after the preposition с, and after по and в. */
const RUSSIAN = {
  since: 'понедельника вторника среды четверга пятницы субботы воскресенья'.split(' '),
  until: 'понедельник вторник среду четверг пятницу субботу воскресенье'.split(' '),
} as const

interface ShortWeekdays {
  range: RegExp
  list: RegExp
  dated: RegExp
  end: RegExp
  place(written: string): number
  long: readonly string[]
}

const build = (locale: string): ShortWeekdays | undefined => {
  const base = locale.slice(0, 2)
  if (!/^(?:en|es|pt|fr|de|ru)$/.test(base)) return undefined
  const { short, long } = weekdaysOf(locale)
  const places = new Map([
    ...short.map((name, place) => [name.toLowerCase(), place] as const),
    ...Object.entries(MORE[base] ?? {}).map(([name, place]) => [name.toLowerCase(), place] as const),
  ])
  const isCapital = /^(?:en|de)$/.test(base)
  const spellings = [...short, ...Object.keys(MORE[base] ?? {})].flatMap((name) =>
    // English and German write them with capitals alone, without which they are rather words.
    isCapital ? [name] : [name, name.charAt(0).toUpperCase() + name.slice(1)],
  )
  const name = `(?:${alternatives(spellings)})`
  const start = String.raw`(?<![\p{L}\p{M}\p{N}.])`
  const end = String.raw`(?![\p{L}\p{M}\p{N}])`
  const months = alternatives(Array.from({ length: 12 }, (_, month) => monthName(locale, month + 1)))
  // English and German write short months with capitals, too.
  const shortSource = shortMonthsOf(locale)?.source ?? '(?!)'
  const shortMonth = `|(?:${isCapital ? shortSource.replaceAll(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase()) : shortSource})(?!\\p{L})`
  const time = String.raw`\d{1,2}(?:[:./]\d|\s?h(?![\p{L}])|h\d|\s?[ap]\.?\s?m(?!\p{L})|(?: ?[-–] ?\d{1,2})? ?Uhr|st|nd|rd|th|[.º]? (?:de |of )?(?:${months}${shortMonth}))`
  const dated = String.raw`${name}\.?(?=,? (?:(?:at|a las|à|às|um|в|den|le|el) )?(?:${time}|${base === 'en' ? `(?:${months}${shortMonth})` : '(?!)'}))`
  const free = NO_WORDS[base]
  const stops = alternatives(spellings.filter((one) => !WORDS.test(one)))
  return {
    range: new RegExp(
      String.raw`${start}(?:(?<since>[Сс]о?) )?(?<from>${name})\.?(?: ?[-–] ?| (?<word>${UNTIL}) )(?<until>${name})\.?${end}`,
      'gu',
    ),
    list: new RegExp(String.raw`${start}${name}\.?(?:(?:${AND})${name}\.?){1,6}${end}`, 'gu'),
    dated: new RegExp(
      String.raw`${start}(?:${dated}${free === undefined ? '' : `|(?:${free})\\.?`})${end}`,
      'gu',
    ),
    end: new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${stops})\.$`, 'u'),
    place: (written) => places.get(written.replace(/\.$/, '').toLowerCase()) ?? -1,
    long,
  }
}
const weekdays = perLanguage((language: Language) => build(language.locale))

/** Whether a text ends with a short weekday, after which a date or a time goes on. */
export const weekdayGoesOn = (tail: string, after: string, language: Language): boolean =>
  /^\s?\d/.test(after) && weekdays(language)?.end.test(tail) === true

/** Writes short names of weekdays in full, where another or a date stands beside them: `Mon-Fri`, `lun. a vie.`, `Di. 10 Uhr`. */
export const speakWeekdays: Rule = (spoken, language) => {
  const known = weekdays(language)
  if (known === undefined) return spoken
  const { place, long } = known
  const nameOf = (written: string) => long[place(written)] ?? written
  const stopAfter = ({ 0: written, index }: RegExpExecArray, text: string) =>
    written.endsWith('.') &&
    ENDS_SENTENCE.test(text.slice(index + written.length, index + written.length + 16))
      ? '.'
      : ''
  const ranges = replaceMatches(spoken, known.range, (match) => {
    const { from = '', until = '', word = language.symbols.to, since } = match.groups ?? {}
    const stop = stopAfter(match, spoken.text)
    if (language.locale === 'ru') {
      const first = RUSSIAN.since[place(from)] ?? from
      const preposition = (since ?? 'с').charAt(0)
      return `${preposition}${first.startsWith('вт') ? 'о' : ''} ${first} по ${RUSSIAN.until[place(until)]}${stop}`
    }
    return `${nameOf(from)} ${word} ${nameOf(until)}${stop}`
  })
  const lists = replaceMatches(ranges, known.list, (match) =>
    match[0]
      .split(/([,&/]| \p{L}{1,4} )/u)
      .map((part) => (part === '/' ? ', ' : part.replace(/[^\s,&]+/u, (written) => nameOf(written))))
      .join('')
      .concat(stopAfter(match, ranges.text)),
  )
  return replaceMatches(lists, known.dated, (match) => {
    const before = lists.text.slice(Math.max(0, match.index - 4), match.index)
    const isAccusative = language.locale === 'ru' && /(?<!\p{L})(?:во?|на) $/iu.test(before)
    const said = isAccusative ? (RUSSIAN.until[place(match[0])] ?? match[0]) : nameOf(match[0])
    return said + stopAfter(match, lists.text)
  })
}
