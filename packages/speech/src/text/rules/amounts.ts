import type { Language } from '../language.ts'
import { parseNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { stopAfter, textAfter } from './context.ts'
import type { Rule } from './rule.ts'

type Writing = readonly [pattern: RegExp, say: (match: RegExpExecArray, language: Language) => string]

/** Source of what precedes the scale of an amount, or of both ends of a range. */
const amountOf = (sign: string, number: string): string =>
  String.raw`(?<=(?:${sign})\s?${number}(?:\s?[-–]\s?${number})?)`
const RUPEE = String.raw`₹|Rs\.?|INR|NPR|रु\.?|रू\.?`
const ANY = String.raw`(?<![\d.,])\d[\d.,]{0,11}`
/** A hundred lakhs are a crore. */
const OF_LAKHS = String.raw`(?<![\d.,])\d{1,2}(?:\.\d{1,2})?`
const END = String.raw`(?![\p{L}\p{M}\p{N}'’]|-\p{L})`

/** English words and letters of Indian amounts, in a language's own words. Their first letter is looked at first, for speed. */
const indian = (lakh: string, crore: string): readonly Writing[] => [
  [new RegExp(`(?= ?[Cc])${amountOf(RUPEE, ANY)} ?(?:[Cc]rores?|C[Rr]|cr)${END}`, 'gu'), () => ` ${crore}`],
  [new RegExp(`(?= ?[Ll])${amountOf(RUPEE, ANY)} ?(?:[Ll]akhs?|[Ll]acs?)${END}`, 'gu'), () => ` ${lakh}`],
  [new RegExp(`(?= ?L)${amountOf(RUPEE, OF_LAKHS)} ?L${END}`, 'gu'), () => ` ${lakh}`],
]

/** `3 mil 500` is one number, of which the currency follows. */
const inDigits = ({ groups: { thousands = '', rest = '' } = {} }: RegExpExecArray): string =>
  String(Number(thousands) * 1000 + Number(rest))

const MILLIONS_OF: Readonly<Record<string, string>> = { mdp: 'pesos', mdd: 'dólares', mde: 'euros' }
const PORTUGUESE: Readonly<Record<string, readonly [one: string, many: string]>> = {
  mi: ['milhão', 'milhões'],
  bi: ['bilhão', 'bilhões'],
  tri: ['trilhão', 'trilhões'],
}

/** Ways of writing amounts that one language has alone. */
const WRITINGS: Readonly<Record<string, readonly Writing[]>> = {
  en: [
    ...indian('lakh', 'crore'),
    [new RegExp(String.raw`(?<=\d) ?LPA${END}`, 'gu'), () => ' lakh per annum'],
    [new RegExp(`${amountOf('[$€£]', ANY)}(?: ?(?:mil|mn)|MM|mm)${END}`, 'gu'), () => ' million'],
    [new RegExp(`${amountOf('[$€£]', ANY)}(?: ?tn|T)${END}`, 'gu'), () => ' trillion'],
  ],
  hi: indian('लाख', 'करोड़'),
  ne: [
    ...indian('लाख', 'करोड'),
    // A danda in place of the decimal point.
    [/।(?=\d{2}(?![\d।]))(?<=(?:(?:रु|रू|NPR|Rs)\.?\s?\d{1,7}|\d,\d{2,3})।)/gu, () => '.'],
  ],
  es: [
    [/(?<=\$\s?)(?<thousands>[1-9]\d{0,2}) mil (?<rest>\d{3})(?![\d%]|[.,]\d)/gu, inDigits],
    [/(?<=\d)\s?M\.\s?N(?:\.|(?!\p{L}))/gu, (match) => ` moneda nacional${stopAfter(match)}`],
    [
      /(?<![\p{L}\d.,$])(?:\$\s?)?(?<number>\d[\d.,]{0,11})\s?(?<unit>mdp|mdd|mde)(?![\p{L}\p{N}])/gu,
      ({ groups: { number = '', unit = '' } = {} }) =>
        `${number} ${number === '1' ? 'millón' : 'millones'} de ${MILLIONS_OF[unit]}`,
    ],
  ],
  pt: [
    [/(?<=R\$\s?)(?<thousands>[1-9]\d{0,2}) mil e (?<rest>\d{1,3})(?![\d%]|[.,]\d)/gu, inDigits],
    [
      // Not of a distance: `3 mi de manhã`.
      /(?<![\p{L}\d.,$-])(?<number>\d{1,3}(?:,\d{1,2})?) (?<scale>mi|bi|tri)(?= de \p{Ll}{2,24}s(?!\p{L}))/gu,
      ({ 0: written, groups: { number = '', scale = '' } = {} }) => {
        const forms = PORTUGUESE[scale]
        return forms === undefined ? written : `${number} ${/^1(?!\d)/.test(number) ? forms[0] : forms[1]}`
      },
    ],
  ],
  sw: [
    [/(?<!\p{L})(?:Sh|sh|SH)s?\.?(?=\s?\d)/gu, () => 'KSh'],
    [
      /(?<![\p{L}\d.,/]|(?:KSh|Ksh|KSH|TSh|Tsh|TSH|KES|TZS|Kshs|Tshs)\.?\s?)(?<number>\d[\d,]{0,12})\/[=-](?!\d)/gu,
      ({ groups }) => `KSh ${groups?.['number']}`,
    ],
  ],
  ru: [
    [/(?<=\d) ?т\. ?р\.(?!\p{L})/gu, () => ' тыс. руб.'],
    [/(?<=\d) ?т\. ?(?=руб)/gu, () => ' тыс. '],
    // Other abbreviations of this letter are those of times: `3 р. в день`.
    [
      /(?<=\d|\d ?(?:тыс\.?|млн|млрд)) ?р\.(?!\p{L}|\/(?:д|сут|нед)|\s(?:в\s(?:день|сутки|неделю|месяц|год|час)|больше|меньше|выше|ниже|чаще|реже)(?!\p{L}))/gu,
      () => ' руб.',
    ],
    [
      /(?<![\p{L}\d.,/-])(?<number>\d{1,3}) ?коп(?:\.|(?!\p{L}))/gu,
      (match, language) => {
        const numeral = parseNumeral(match.groups?.['number'] ?? '', language)
        const forms = language.cents['RUB']
        const said = numeral && forms && language.count(numeral, forms)
        return said === undefined ? match[0] : said + stopAfter(match)
      },
    ],
  ],
}

const SHILLINGS = /(?<!\p{L})(?<country>[KT])(?:[Ss]h|SH)s?\.?(?=\s?\d)/gu

/** Words of the currencies that a sign may stand for. Sources of patterns of the singular. */
const WORDS: Readonly<Record<string, string>> = {
  $: 'dollar|dólar|peso',
  '€': 'euro',
  '£': 'pound|libra',
  '₹': 'rupee',
  R$: 'rea[il]',
}
const NAMES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(WORDS).map(([sign, names]) => [sign, new RegExp(`^(?:${names})$`, 'u')]),
)
const SIGN_AND_WORD = new RegExp(
  String.raw`(?<![\p{L}\d])(?<sign>R\$|[$€£₹])(?<amount>\s?\d[\d.,]{0,15}(?: ?(?:k|m|mm|bn|b|thousand|million|billion|trillion|lakh|crore|mil|millón|millones|mi|bi|milhão|milhões|bilhão|bilhões|millions?|milliards?))?)(?<word>(?: de)? (?<name>${Object.values(WORDS).join('|')})(?<plural>e?s)?)(?!\p{L}|-\p{L})`,
  'giu',
)
/** The end of a phrase, and names of money that the word is part of: `$5 dollar bill`. */
const AFTER_WORD =
  /^(?:\s*(?:$|[.,;:!?…)\]»”"])(?!\d)| (?:(?:bill|note|coin)s?|and|or|y|o|e|ou|et|und|oder)(?!\p{L}))/u

/**
 * Writes amounts in the ways that the rules of money know: `₹1.2 Cr` as `₹1.2 crore`, `$500 pesos` with one name of its
 * currency. A word of another currency is none here: `a $5 pound cake`, `$2 million real estate`.
 */
export const plainAmounts: Rule = (spoken, language) => {
  if (!/\d/.test(spoken.text)) return spoken
  const [base = ''] = language.locale.split('-')
  const shillings = replaceMatches(spoken, SHILLINGS, ({ groups }) => `${groups?.['country']}Sh`)
  const written = (WRITINGS[base] ?? []).reduce(
    (text, [pattern, say]) => replaceMatches(text, pattern, (match) => say(match, language)),
    shillings,
  )
  if (!/[$€£₹]/.test(written.text)) return written
  return replaceMatches(written, SIGN_AND_WORD, (match) => {
    const { sign = '', amount = '', word = '', name = '', plural } = match.groups ?? {}
    const isCurrency = NAMES[sign]?.test(base === 'de' ? name.toLowerCase() : name) === true
    const isEnded =
      plural !== undefined ||
      AFTER_WORD.test(textAfter(match)) ||
      // `A $5 million dollar home`.
      (name === 'dollar' && /\p{L}/u.test(amount))
    if (!isCurrency || !isEnded) return undefined
    // The word says which dollar or peso it is. In `$5 dollar bill` it says the amount.
    const isSame = sign !== '$' || (name === 'peso') === (language.dollar === 'MXN')
    return isSame && (plural !== undefined || amount.trim() === '1') ? sign + amount : amount.trim() + word
  })
}
