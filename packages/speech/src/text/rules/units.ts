import type { Forms, Language } from '../language.ts'
import { minusSource, type Numeral, numberSource, parseNumeral, wholeNumeral } from '../numerals.ts'
import { replaceMatches, type SpokenText } from '../spoken-text.ts'
import { alternatives, escapeSource, joinedLetters, perLanguage, type Rule, wordEnd } from './rule.ts'
import { ENDS_SENTENCE, textAfter } from './context.ts'
import { goesOnAfterUnit, isIngredient, MOST_SPOONS, MOST_TEASPOONS } from '../kitchen-units.ts'
import { countScaled, scaleWords } from './scales.ts'
import { ALIASES } from './unit-aliases.ts'

/** Symbols that are words or plurals if no space precedes them: `the 90s`, `3d`. */
const AFTER_SPACE = /^[sd]$/
/** Names that are symbols after a slash alone: `€20/month`. */
const AFTER_SLASH = /^(?:day|week|month|year|месяц|год|день|час|[日週月年])$/
/** Letters that name other things after a number and a slash: `5/m`. */
const NOT_ALONE = /^[^hs]$/

interface Units {
  pattern: RegExp
  /** Source of a pattern of the symbols after a slash. */
  per: string
}

const unitsOf = perLanguage((language): Units => {
  const { locale } = language
  const known = [...Object.keys(language.units), ...Object.keys(ALIASES)]
  const isPer = (symbol: string) => formsOf(symbol, language)?.per !== undefined
  const symbols = alternatives(known.filter((symbol) => !AFTER_SLASH.test(symbol)))
  const per = alternatives(known.filter(isPer))
  const perAlone = alternatives(known.filter((symbol) => isPer(symbol) && !NOT_ALONE.test(symbol)))
  const scales = scaleWords(language)
  const scale =
    scales === '' ? '' : String.raw`(?:[ \u00a0]?(?<scale>${scales})(?:(?<=\p{sc=Han})|(?![\p{L}\p{M}])))?`
  // In Spanish, `ha` before a participle is a verb: `el 5 ha sido`.
  const verb = locale === 'es' ? String.raw`(?!(?<=\bha) \p{L}{1,20}(?:[dt]o|cho|r)(?!\p{L}))` : ''
  const to = escapeSource(language.symbols.to)
  const end = wordEnd(language, "²³'’")
  return {
    pattern: new RegExp(
      String.raw`(?:(?<low>${numberSource(language)}) ${to} )?(?<number>${minusSource(joinedLetters(language))}${numberSource(language)})(?:${scale}(?<space>[ \u00a0\u202f]?)(?<unit>${symbols})(?:\/(?<per>${per}))?|[ \u00a0]?\/(?<alone>${perAlone}))${end}${verb}(?!\/\p{L}|\. ?C\.|\. (?:до )?н\. ?э\.)`,
      'gu',
    ),
    per,
  }
})

/** Source of a pattern of the symbols that may follow a number. */
export const unitSource = ({ units }: Language): string =>
  alternatives([...Object.keys(units), ...Object.keys(ALIASES)].filter((symbol) => !AFTER_SLASH.test(symbol)))

/** Forms of a unit by its symbol; undefined if the language has none. */
export const formsOf = (symbol: string, { units }: Language): Forms | undefined =>
  units[ALIASES[symbol] ?? symbol]

/** Says an amount of one unit per another, or per one of another: `5 kilograms per hour`. */
const sayPer = (amount: string, per: string | undefined, language: Language): string | undefined =>
  per === undefined ? amount : formsOf(per, language)?.per?.replace('{0}', () => amount)

/** Source of the end of a rate, after an amount: `/kg`, `/month`, `/person`. */
export const rateSource = (language: Language): string =>
  String.raw`\/(?:(?<per>${unitsOf(language).per})${wordEnd(language)}|(?<each>${EACH}))(?!\/)`
/** What prices are for in Chinese, which has no spaces after words. */
const COUNTED_BY = '小时|小時|分钟|分鐘|公斤|人|位|次|天|夜|晚|个|個|间|間|台|瓶|份|件|斤|节|節|张|張|本|杯'
/** A word of a language that counts by it as it is written. */
const EACH = String.raw`(?:${COUNTED_BY})|(?!\p{sc=Han})\p{L}[\p{Ll}\p{Lo}\p{M}]{2,20}(?![\p{L}\p{M}\p{N}])`

/** Says an amount and what it is for, of a match of `rateSource`: `20 dollars per month`; undefined if that is no unit here. */
export function sayRate(
  amount: string,
  { per, each }: Readonly<Record<string, string | undefined>>,
  language: Language,
): string | undefined {
  if (each === undefined) return sayPer(amount, per, language)
  const forms = language.units['kg']
  const name = (forms?.one ?? forms?.other ?? '').replace('{0}', '').trim()
  // Russian would inflect the word, and Japanese read it in another way.
  if (/^(?:ru|ja)/.test(language.locale)) return undefined
  return forms?.per?.replace(name, () => each).replace('{0}', () => amount)
}

/** In Arabic, the sign of a percentage may come first in the text, as it does on the page. */
const percentLast = (spoken: SpokenText, language: Language): SpokenText =>
  language.locale === 'ar'
    ? replaceMatches(
        spoken,
        /(?<![\d%٪])[%٪](\d{1,9}(?:[.,٫]\d{1,9})?)(?![\d%٪])/g,
        ([, number]) => `${number}%`,
      )
    : spoken

/** After these, `m` is rather that of a distance: `ran 40 m 5 s`. */
const MOVED = String.raw`(?<!\p{L})(?:[Rr]an|[Rr]un|[Ss]wam|[Ss]wim|[Ss]print(?:ed)?|[Ww]alked|[Ff]ell|[Dd]ropped|[Пп]робежала?|[Бб]ежала?|[Пп]роплыла?) (?:the |a |about )?`
/** Hours, minutes and seconds, of which `m` alone would be meters: `1h 30m`, `2h 15m 10s`. */
const DURATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/-])(?:(?<h>\d{1,3}) ?[hч] ?(?<min>[0-5]?\d) ?[mм](?: ?(?<s>[0-5]?\d) ?[sс])?|(?<!${MOVED})(?<minutes>(?!(?:25|50) )[0-5]?\d) ?[mм] ?(?<seconds>[0-5]?\d) ?[sс])(?![\p{L}\p{N}/²³'’])`,
  'gu',
)

const speakDurations = (spoken: SpokenText, language: Language): SpokenText =>
  replaceMatches(spoken, DURATION, ({ groups = {} }) => {
    const { h, minutes, min = minutes, seconds, s = seconds } = groups
    const parts = Object.entries({ h, min, s }).flatMap(([symbol, integer]) => {
      const forms = language.units[symbol]
      return integer === undefined || forms === undefined
        ? []
        : [language.count(wholeNumeral(Number(integer)), forms)]
    })
    return parts.join(/^(?:zh|ja)/.test(language.locale) ? '' : ' ')
  })

/** The cross between lengths: `12ft x 10ft`. */
const BY =
  / ?[x×](?<=\d ?(?:ft|yd|[kcm]?m|[кс]?м|мм)\s?[x×]) ?(?=\d{1,6}(?:[.,]\d{1,3})? ?(?:ft|yd|[kcm]?m|[кс]?м|мм)(?![\p{L}\d]))/gu

/** Units whose full stop may end the sentence, too. */
const STOPPED = /[\p{sc=Latn}\p{sc=Cyrl}]\.$/u
const AFTER_UNITS = 48

/** Names of standards of networks: `802.11ac`. */
const STANDARD = '802.11'
/** Whether an amount is one of teaspoons rather than of metric tons: `1 t salt`. */
const isSpoon = (unit: string | undefined, number: string, after: string, { locale }: Language): boolean =>
  unit === 't' && locale.startsWith('en') && Number(number) <= MOST_TEASPOONS && isIngredient(after, 'en')
/** Whether an amount of a symbol of spoons is rather one of liras: `50 TL Miete`. */
const isNoSpoon = (unit: string | undefined, number: string, after: string, { locale }: Language): boolean =>
  (unit === 'TL' || unit === 'EL') &&
  locale.startsWith('de') &&
  !(Number(number.replace(',', '.')) <= MOST_SPOONS && isIngredient(after, 'de'))

/** Reads units and percentages in full: `5 km/h`, `20 °C`, `3.5%`, `12 kg/m³`, `2 million km`. */
export const speakUnits: Rule = (spoken, language) => {
  if (!/\d/.test(spoken.text)) return spoken
  const areas = replaceMatches(percentLast(spoken, language), BY, () => ` ${language.symbols.by} `)
  const timed = speakDurations(areas, language)
  return replaceMatches(timed, unitsOf(language).pattern, (match) => {
    const { low, number = '', space, unit, scale, alone, per: slashed } = match.groups ?? {}
    if (unit !== undefined && space === '' && (AFTER_SPACE.test(unit) || number === STANDARD))
      return undefined
    const after = textAfter(match, AFTER_UNITS)
    if (isSpoon(unit, number, after, language) || isNoSpoon(unit, number, after, language)) return undefined
    const numeral = parseNumeral(number, language)
    if (numeral === undefined) return undefined
    const [symbol, per] = splitRate(unit, language)
    const forms = symbol === undefined ? undefined : formsOf(symbol, language)
    const from = low === undefined ? undefined : parseNumeral(low, language)
    // Both ends follow what precedes a number: 百分之十到二十.
    const isInside = from !== undefined && forms?.other.startsWith('{0}') === false
    const said = symbol === undefined ? language.number(numeral) : countUnit(numeral, scale, forms, language)
    const { to } = language.symbols
    const range = isInside
      ? forms.other.replace('{0}', () => `${language.number(from)} ${to} ${language.number(numeral)}`)
      : said && `${low === undefined ? '' : `${low} ${to} `}${said}`
    const whole = range && sayPer(range, slashed ?? alone ?? per, language)
    const stop =
      STOPPED.test(unit ?? '') && ENDS_SENTENCE.test(after) && !goesOnAfterUnit(unit, after, language)
        ? '.'
        : ''
    return whole && `${match[0].startsWith(' ') ? ' ' : ''}${whole}${stop}`
  })
}

/** Parts a symbol such as `Mbps` that stands for one unit per another without a name of its own. */
function splitRate(
  symbol: string | undefined,
  { units }: Language,
): readonly [symbol?: string, per?: string] {
  if (symbol === undefined) return []
  const full = ALIASES[symbol] ?? symbol
  const [first, second] = full.split('/')
  return units[full] === undefined && second !== undefined && first !== undefined ? [first, second] : [full]
}

function countUnit(
  numeral: Numeral,
  scale: string | undefined,
  forms: Forms | undefined,
  language: Language,
): string | undefined {
  if (forms === undefined) return undefined
  return scale === undefined ? language.count(numeral, forms) : countScaled(numeral, scale, forms, language)
}
