import type { Language } from '../language.ts'
import { monthName } from '../define-language.ts'
import { replaceMatches } from '../spoken-text.ts'
import { shortMonthsOf } from '../short-months.ts'
import { weekdaysOf } from '../weekdays.ts'
import { stopAfter } from './context.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

/** Other short names than those of CLDR, by the place of the day. */
const MORE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { Tues: 1, Weds: 2, Thur: 3, Thurs: 3 },
  es: { mie: 2, sab: 5 },
  pt: { sab: 5 },
}
/** Those that are other words, too: they are days beside another day, and with their full stop before a date or a time. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'Sun|Mon|Wed|Weds|Sat',
  es: 'mar|dom',
  pt: 'ter|sex|dom',
  fr: 'mer|jeu|sam|dim',
  de: 'So|Fr',
}
/** Before such a word, these say that it is no day: `à la mer`, `vista al mar`. */
const NO_DAY: Readonly<Record<string, string>> = {
  en: '[Tt]he|[Aa]n?|[Tt]his|and',
  es: '[Aa]l|[Dd]el?|[Ee]n|[Ll]a|[Uu]n|[Ee]ste|y',
  pt: '[Oo]|[Uu]m|[Dd][eo]|[Aa]|[Pp]ara|[Pp]or|[Ss]em|[Vv]ai|[Pp]ode|[Dd]eve|e',
  fr: '[Ll]a|[Dd][eu]|[Ee]n|[ÀàAa]u?|[Uu]ne?|[Cc]e|[Cc]ette|[Ss]ur|et',
}
/** In English, these are days after a word that says so, as in `see you Thu.`, and names elsewhere: `Thu Nguyen`. */
const ENGLISH_ALONE = String.raw`Tues\.?|Thurs\.?|(?<=(?<!\p{L})(?:[Oo]n|[Uu]ntil|[Tt]ill|[Tt]his|[Nn]ext|[Ll]ast|[Ee]very|[Dd]ue|[Ss]ee you) )(?:Tue|Thur?)(?:\.|(?! \p{Lu}))`
/** Between the first and the last day, and between days of a list. */
const UNTIL = 'to|through|thru|al?|à|au|até|bis|по'
const AND = String.raw`, ?| ?& ?|\/| (?:and|or|y|o|e|ou|et|und|oder|и|или) `

/** Days after the preposition с, and after по and в. */
const RUSSIAN = {
  since: 'понедельника вторника среды четверга пятницы субботы воскресенья'.split(' '),
  until: 'понедельник вторник среду четверг пятницу субботу воскресенье'.split(' '),
} as const

/** Prepositions that change the name of the day. */
const RUSSIAN_PREPOSITIONS = '[Вв]о?|[Нн]а|[Кк]о?|[Сс]о?|[Дд]о|[Оо]т|[Пп]о|[Оо]б?|[Пп]осле|[Кк]роме'

interface ShortWeekdays {
  /** Looked for first, for speed. */
  any: RegExp
  range: RegExp
  list: RegExp
  dated: RegExp
  end: RegExp
  place(written: string): number
  long: readonly string[]
}

/** Whole words alone; after a number, `Вт` would be watts, and before a slash, too. */
const start = (base: string): string =>
  base === 'ru' ? String.raw`(?<![\p{L}\p{M}\p{N}.]|\d )(?!Вт\/)` : String.raw`(?<![\p{L}\p{M}\p{N}.-])`
const END = String.raw`(?![\p{L}\p{M}\p{N}])`
/** The end of a date in digits, which would be a fraction or a decimal number before another word: `30/40 cm`, `1/2 day`. */
const NO_AMOUNT = String.raw`(?=\/\d|[.,;:!?)]?(?:\s(?![\p{L}%])|$)|\s(?:at|by|from|until|till|to|à|de|às|das|a|en|um|ab|von|в|с|до|на)(?!\p{L}))`
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const MONTH = String.raw`(?:0?[1-9]|1[0-2])`
const DIGIT_DATES: Readonly<Record<string, string>> = {
  en: String.raw`(?:${DAY}\/${MONTH}|${MONTH}\/${DAY})(?!\d)${NO_AMOUNT}`,
  de: String.raw`${DAY}\.${MONTH}(?:\.|(?!\d)${NO_AMOUNT})|\d{1,2}(?:\.[0-5]\d)?(?: ?[-–] ?\d{1,2}(?:\.[0-5]\d)?)? ?Uhr`,
  ru: String.raw`(?<=(?<!\p{L})(?:во?|на) \p{L}{2}\.?,? )${DAY}\.(?:0[1-9]|1[0-2])(?!\d)${NO_AMOUNT}`,
}

/** Source of a pattern of a date with a month or of a time, as they follow a weekday. */
const dateSource = (locale: string, isCapital: boolean): string => {
  const base = locale.slice(0, 2)
  const names = alternatives(Array.from({ length: 12 }, (_, month) => monthName(locale, month + 1)))
  // English and German write short months with capitals, too.
  const short = shortMonthsOf(locale)?.source ?? '(?!)'
  const capitals = short.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  const month = String.raw`(?:${names}|${isCapital ? capitals : short})(?!\p{L})`
  return [
    String.raw`\d{1,2}:[0-5]\d(?!\d)`,
    String.raw`\d{1,2}(?:\.[0-5]\d)?\s?[ap]\.?\s?m(?!\p{L})`,
    ...(base === 'en'
      ? [String.raw`${month}\.? \d{1,2}(?!\d)`, String.raw`\d{1,2}(?:st|nd|rd|th)(?!\p{L})`]
      : [String.raw`\d{1,2}\s?h(?!\p{L})`]),
    String.raw`\d{1,2}(?:st|nd|rd|th|er|[.º])? (?:de |of )?${month}`,
    DIGIT_DATES[base] ?? String.raw`${DAY}\/${MONTH}(?!\d)${NO_AMOUNT}`,
  ].join('|')
}

const build = (locale: string): ShortWeekdays | undefined => {
  const base = locale.slice(0, 2)
  if (!/^(?:en|es|pt|fr|de|ru)$/.test(base)) return undefined
  // Those of Portugal in CLDR are ordinals, too: `a segunda ou quarta vez`.
  const { short, long } = weekdaysOf(base === 'pt' ? base : locale)
  const places = new Map([
    ...short.map((name, place) => [name.toLowerCase(), place] as const),
    ...Object.entries(MORE[base] ?? {}).map(([name, place]) => [name.toLowerCase(), place] as const),
  ])
  // English and German write them with capitals alone, without which they are rather words.
  const isCapital = /^(?:en|de)$/.test(base)
  const spellings = [...short, ...Object.keys(MORE[base] ?? {})].flatMap((name) =>
    isCapital ? [name] : [name, name.charAt(0).toUpperCase() + name.slice(1)],
  )
  const isWord = new RegExp(`^(?:${WORDS[base] ?? '(?!)'})$`, 'i')
  const sure = alternatives(spellings.filter((one) => !isWord.test(one)))
  const words = alternatives(spellings.filter((one) => isWord.test(one))) || '(?!)'
  const name = `(?:${alternatives(spellings)})`
  const place = String.raw`(?<!(?<![\p{L}\p{M}])(?:${NO_DAY[base] ?? '(?!)'}) )`
  const link = String.raw`,? (?:(?:at|a las|à|às|um|в|den|le|el) )?`
  const preposition = base === 'ru' ? String.raw`(?:(?<in>${RUSSIAN_PREPOSITIONS}) )?` : ''
  return {
    any: new RegExp(name, 'u'),
    range: new RegExp(
      String.raw`${start(base)}(?:(?<since>[Сс]о?) )?(?<from>${name})\.?(?: ?[-–] ?| (?<word>${UNTIL}) )(?!\k<from>${END})(?<until>${name})\.?${END}`,
      'gu',
    ),
    list: new RegExp(
      String.raw`${start(base)}${preposition}(?:(?:${sure})|${place}(?:${words}))\.?(?:(?:${AND})${name}\.?(?!\p{L})){1,6}${END}`,
      'gu',
    ),
    dated: new RegExp(
      String.raw`${start(base)}(?<!\d )${preposition}(?:(?:(?:${sure})\.?|${place}(?:${words})\.)(?=${link}(?:${dateSource(locale, isCapital)}))${base === 'en' ? `|(?<alone>${ENGLISH_ALONE})` : ''})${END}`,
      'gu',
    ),
    end: new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${base === 'de' ? `${sure}|So` : sure})\.$`, 'u'),
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
  if (known?.any.test(spoken.text) !== true) return spoken
  const { place, long } = known
  const nameOf = (written: string) => long[place(written)] ?? written
  const ranges = replaceMatches(spoken, known.range, (match) => {
    const { from = '', until = '', word = language.symbols.to, since } = match.groups ?? {}
    const stop = stopAfter(match)
    if (language.locale === 'ru') {
      const first = RUSSIAN.since[place(from)] ?? from
      const preposition = (since ?? 'с').charAt(0)
      return `${preposition}${first.startsWith('вт') ? 'о' : ''} ${first} по ${RUSSIAN.until[place(until)]}${stop}`
    }
    return `${nameOf(from)} ${word} ${nameOf(until)}${stop}`
  })
  const isOtherCase = (preposition: string | undefined) =>
    preposition !== undefined && !/^(?:во?|на)$/i.test(preposition)
  const lists = replaceMatches(ranges, known.list, (match) => {
    const before = match.groups?.['in']
    const days = before === undefined ? match[0] : match[0].slice(before.length + 1)
    const names = days.match(/\p{L}{2,}/gu) ?? []
    // `mer et mer`
    if (isOtherCase(before) || new Set(names.filter((one) => place(one) >= 0)).size < 2) return undefined
    const said = days
      .replaceAll(/\p{L}+\.?/gu, (written) =>
        before === undefined ? nameOf(written) : (RUSSIAN.until[place(written)] ?? written),
      )
      .replaceAll('/', ', ')
    return inRussian(before, said) + stopAfter(match)
  })
  return replaceMatches(lists, known.dated, (match) => {
    const { in: before, alone } = match.groups ?? {}
    if (isOtherCase(before)) return undefined
    if (before === undefined) return nameOf(match[0]) + (alone === undefined ? '' : stopAfter(match))
    const day = match[0].slice(before.length + 1)
    return inRussian(before, RUSSIAN.until[place(day)] ?? day)
  })
}

/** `в среду`, `во вторник`. */
const inRussian = (preposition: string | undefined, days: string): string =>
  preposition === undefined
    ? days
    : `${/^в$/i.test(preposition) && days.startsWith('вт') ? `${preposition}о` : preposition} ${days}`
