import type { ClockTime, Language } from '../language.ts'
import { replaceMatches } from '../spoken-text.ts'
import { textBefore } from './context.ts'
import { perLanguage, type Rule } from './rule.ts'

/** `a.m.` keeps its last full stop if that may end the sentence. Chinese and Japanese go on without a space. */
const HALF = String.raw`(?:\s?(?<half>[ap])(?:\.\s?m\.(?=\s+\p{Ll}|[,;:)])|\.\s?m|m)(?!(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\d]))`
const HALF_CAPITAL = HALF.replace('[ap]', '[AP]').replaceAll('m', 'M')
const NO_NUMBER_BEFORE = String.raw`(?<![\p{sc=Latn}\p{sc=Cyrl}\d:./-]|\d,)`

/** The space after a year in halves, which would be heard with the hour: `November 22nd, 20 26, 15 30`. */
const AFTER_YEAR = String.raw`(?<year>(?<= (?:1[1-9]|20) (?:\d\d|oh \d)) )`

interface Clock {
  pattern: RegExp
  hourOnly: RegExp
}

const clockOf = perLanguage((language): Clock => {
  const { before, after } = language.clockWords ?? {}
  const start = language.locale.startsWith('en') ? `(?:${AFTER_YEAR}|${NO_NUMBER_BEFORE})` : NO_NUMBER_BEFORE
  const lead = before === undefined ? '' : `(?:${before} )?`
  const trail = after === undefined ? '' : `(?:\\s?${after}(?!\\p{L}))?`
  return {
    pattern: new RegExp(
      String.raw`${start}${lead}(?<hour>[01]?\d|2[0-4])[:.](?<minute>[0-5]\d)(?::(?<second>[0-5]\d))?(?![\d:]|[.,/-]\d)(?:${HALF}|${HALF_CAPITAL.replace('<half>', '<capital>')})?${language.locale === 'de' ? String.raw`(?:\s?(?:Uhr|h)(?!\p{L}))?` : trail}`,
      'gu',
    ),
    hourOnly: new RegExp(
      String.raw`${NO_NUMBER_BEFORE}(?<hour>1[0-2]|[1-9])(?:${HALF}|${HALF_CAPITAL.replace('<half>', '<capital>')})`,
      'gu',
    ),
  }
})

/** Words before a time with a point and an `h`: `um 15.30 h`. Elsewhere, `2.45 h` is a duration. */
const BEFORE_CLOCK: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:um|ab|bis|gegen)\s$/iu,
  es: /(?<!\p{L})las?\s$/iu,
}

/** Reads times of day: `15:30`, `3:30 pm`, `15 h 30`, `15時30分`. */
export const speakTimes: Rule = (spoken, language) => {
  const { pattern, hourOnly } = clockOf(language)
  const clock = replaceMatches(spoken, pattern, (match) => {
    const { 0: written, groups } = match
    if (isPreposition(written, language)) return `${language.time({ ...timeOf(groups), half: undefined })} am`
    const before = textBefore(match)
    // A point is a decimal mark, too, so it takes a word that follows a time.
    const isTime =
      !/\d\.\d/.test(written) ||
      /(?:[ap]\.?\s?m\.?|Uhr|बजे)$/i.test(written) ||
      (/\dh|\sh$/.test(written) && BEFORE_CLOCK[language.locale]?.test(before) === true)
    if (!isTime) return undefined
    const gap = groups?.['year'] === undefined ? '' : ', '
    return gap + language.time(timeOf(groups), before)
  })
  const hours = replaceMatches(clock, hourOnly, ({ groups, 0: written }) =>
    isPreposition(written, language) ? undefined : language.time(timeOf(groups)),
  )
  return replaceMatches(
    hours,
    localTimes(language),
    ({ groups }) => language.time(timeOf(groups)) + (groups?.['halfHour'] === undefined ? '' : 'はん'),
  )
}

/** In German, `am` after a number begins what follows: `Platz 3 am Fluss`, `15:30 am Montag`. */
const isPreposition = (written: string, { locale }: Language): boolean =>
  locale === 'de' && /\sam$/.test(written)

/** In French and Portuguese. With a capital `H`, which may be part of a code, a word before it says so: `à 14H30`. */
const HOURS =
  /(?<![\p{L}\d.,])(?<hour>[01]?\d|2[0-4])\s?(?:h|(?<=(?<!\p{L})(?:[Àà]|[Vv]ers|[Dd]ès|[Dd]e|[Ee]ntre|[Àà]s|[Dd]as) \d{1,2}\s?)H)(?:\s?(?<minute>[0-5]\d)|(?<=0\d\s?h))(?![\p{L}\d])/gu

/** Ways of writing a time that one language has. */
function localTimes({ locale }: Language): RegExp | undefined {
  if (locale === 'fr' || locale.startsWith('pt')) return HOURS
  if (locale === 'ja')
    return /(?:(?<morning>午前)|(?<evening>午後))?(?<!\d)(?<hour>[01]?\d|2[0-4])時(?!間)(?:(?<minute>[0-5]?\d)分|(?<halfHour>半))?/gu
  return undefined
}

function timeOf(groups: Record<string, string | undefined> = {}): ClockTime {
  const { hour, minute, second, half, capital, morning, evening } = groups
  const part = (half ?? capital)?.toLowerCase() ?? (morning === undefined ? evening && 'p' : 'a')
  return {
    hour: Number(hour),
    minute: Number(minute ?? 0),
    ...(Number(second) > 0 && { second: Number(second) }),
    ...(part !== undefined && part !== '' && { half: part === 'a' ? ('am' as const) : ('pm' as const) }),
  }
}
