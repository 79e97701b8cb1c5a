import type { Forms, Language } from '../language.ts'
import { MINUS_SOURCE, numberSource, parseNumeral, plainNumberSource, wholeNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { stopAfter } from './context.ts'
import { alternatives, joinedLetters, perLanguage, type Rule, wordEnd } from './rule.ts'
import { rateSource, sayRate } from './units.ts'
import { countExactly, countScaled, sayScaled } from './scales.ts'

/** ISO 4217 codes that are read as currencies next to an amount. */
const CODES =
  'AED AUD BDT BRL CAD CHF CNY EUR GBP HKD IDR INR JPY KES KRW KWD LKR MXN NPR NZD PKR PLN QAR RUB SAR SEK SGD THB TRY TWD TZS UAH UGX USD VND ZAR'.split(
    ' ',
  )

const symbolsOf = ({ locale, dollar, rupee }: Language): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(CODES.map((code) => [code, code])),
  $: dollar,
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  HK$: 'HKD',
  NT$: 'TWD',
  NZ$: 'NZD',
  S$: 'SGD',
  MX$: 'MXN',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': locale.startsWith('zh') ? 'CNY' : 'JPY',
  '￥': locale.startsWith('zh') ? 'CNY' : 'JPY',
  円: 'JPY',
  '₹': 'INR',
  'Rs.': rupee,
  Rs: rupee,
  '₨': rupee,
  'NRs.': 'NPR',
  NRs: 'NPR',
  'रु.': rupee,
  रु: rupee,
  'रू.': rupee,
  रू: rupee,
  '₽': 'RUB',
  'руб.': 'RUB',
  руб: 'RUB',
  KSh: 'KES',
  Ksh: 'KES',
  'Ksh.': 'KES',
  TSh: 'TZS',
  Tsh: 'TZS',
  '₩': 'KRW',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '฿': 'THB',
  'ر.س': 'SAR',
  'د.إ': 'AED',
  'د.ك': 'KWD',
  'ج.م': 'EGP',
  'ر.ق': 'QAR',
  '৳': 'BDT',
  '₦': 'NGN',
  '₱': 'PHP',
  '₪': 'ILS',
  '₡': 'CRC',
  '₲': 'PYG',
  '₵': 'GHS',
  '₸': 'KZT',
  zł: 'PLN',
})

interface Money {
  pattern: RegExp
  range: RegExp
  symbols: Readonly<Record<string, string>>
}

const moneyOf = perLanguage((language): Money => {
  const symbols = symbolsOf(language)
  const names = alternatives(Object.keys(symbols))
  const scales = Object.keys(language.scales)
  // With further parts: `1 crore 25 lakh`.
  // Or of two words: `5 lakh crore`.
  const scaleWord = `(?:${alternatives(scales)})${wordEnd(language)}`
  const one = String.raw`\s?${scaleWord}(?:\s${scaleWord})?`
  const scale = scales.length === 0 ? '' : String.raw`(?:${one}(?:\s\d{1,3}(?:\.\d{1,3})?${one}){0,3})?`
  // Beside a symbol, a plain space groups digits in English, too.
  const format = { ...language, spaceGroups: language.spaceGroups || language.locale.startsWith('en') }
  const units = alternatives(Object.keys(language.units).filter((unit) => /\p{L}/u.test(unit)))
  const number = numberSource(format, units)
  const bare = plainNumberSource(format, units)
  const letters = joinedLetters(language)
  const rate = rateSource(language)
  return {
    symbols,
    range: new RegExp(
      String.raw`(?<![${letters}\p{N}])(?<lead>${names})\s?(?<low>${bare})${scales.length === 0 ? '' : `(?<lowScale>${one})?`}\s?[-–~〜]\s?(?<second>\k<lead>\s?)?(?<first>${bare})(?<scale>${scale})(?!\d|[.,]\d|\s?[-–]\s?\d)`,
      'gu',
    ),
    pattern: new RegExp(
      String.raw`(?<before>${MINUS_SOURCE})(?:(?<![${letters}\p{N}])(?<lead>${names})\s?(?<minus>[-−]?)(?<first>${bare})(?<scale>${scale})(?:/[-=])?(?:\s?(?<again>${names})(?![${letters}\p{M}\p{N}]))?` +
        String.raw`|(?<second>${number})(?<scaled>${scale})\s?(?<trail>${names})(?![${letters}\p{M}\p{N}]))(?:${rate})?`,
      'gu',
    ),
  }
})

/** Reads amounts of money, with the symbol or code before or after them: `$12.50`, `12,50 €`, `Rs 5 lakh`, `USD 1.2M`. */
export const speakMoney: Rule = (spoken, language) => {
  if (!/\d/.test(spoken.text)) return spoken
  const { pattern, symbols } = moneyOf(language)
  const whole =
    language.decimal === '.' ? replaceMatches(spoken, /(?<=[$€£]) ?\.(?=\d{2}(?!\d))/g, () => '0.') : spoken
  return replaceMatches(whole, pattern, (match) => {
    const { groups = {} } = match
    const amount = sayAmount(groups, symbols, language)
    const { per, each } = groups
    const said =
      amount !== undefined && (per ?? each) !== undefined
        ? (sayRate(amount, groups, language) ?? `${amount}/${per ?? each}`)
        : amount
    return said && said + stopAfter(match)
  })
}

/** Reads ranges of money with the symbol before the first amount alone, or with scales: `$10-20`, `$10K-$20K`. */
export const speakMoneyRanges: Rule = (spoken, language) => {
  if (!/[-–~〜]/.test(spoken.text)) return spoken
  const { range, symbols } = moneyOf(language)
  return replaceMatches(spoken, range, ({ groups = {} }) => {
    const low = parseNumeral(groups['low'] ?? '', language)
    const high = parseNumeral(groups['first'] ?? '', language)
    if (low === undefined || high === undefined) return undefined
    const lowScale = (groups['lowScale'] ?? '').trim()
    const scale = (groups['scale'] ?? '').trim()
    // Hundredths of one end and not of the other would be misunderstood, and so would thousands.
    const isScaled = lowScale + (groups['second'] ?? '') !== ''
    if (scale === '' && (isScaled || low.fraction + high.fraction !== '')) return undefined
    const amount = sayAmount(groups, symbols, language)
    const isOneScale = lowScale === '' || lowScale === scale
    const from = isOneScale ? language.number(low) : sayScaled(low, lowScale, language)
    if (amount === undefined) return undefined
    // The name of the currency comes first in Swahili: shilingi 10 hadi 20.
    const until = isOneScale ? language.number(high) : sayScaled(high, scale, language)
    return language.locale === 'sw'
      ? amount.replace(until, () => `${from} ${language.symbols.to} ${until}`)
      : `${from} ${language.symbols.to} ${amount}`
  })
}

function sayAmount(
  groups: Readonly<Record<string, string | undefined>>,
  symbols: Money['symbols'],
  language: Language,
): string | undefined {
  const { before = '', lead, trail, again, minus = '', first, second } = groups
  // The code after `$5 AUD` says which dollar it is, and the sign after `¥500円` the same again.
  const currency = symbols[again ?? lead ?? trail ?? '']
  const numeral = parseNumeral(before + minus + (first ?? second ?? ''), language)
  if (currency === undefined || numeral === undefined) return undefined
  const forms = formsOf(currency, language)
  const scale = (groups['scale'] || groups['scaled'] || '').trim()
  if (scale !== '') return countScaled(numeral, scale, forms, language)
  const { fraction } = numeral
  if (/^0*$/.test(fraction)) return countExactly({ ...numeral, fraction: '' }, forms, language)
  if (language.hundredths === undefined || fraction.length !== 2) return language.count(numeral, forms)
  const cents = language.cents[currency]
  const hundredths = wholeNumeral(Number(fraction))
  if (numeral.integer === '0')
    return cents === undefined
      ? language.count(numeral, forms)
      : language.count({ ...hundredths, negative: numeral.negative }, cents)
  const { join, bareFrom } = language.hundredths
  const isBare = cents === undefined || Number(fraction) >= (bareFrom ?? Infinity)
  return (
    language.count({ ...numeral, fraction: '' }, forms) +
    // `and` joins names only.
    (isBare && bareFrom === undefined ? ' ' : join) +
    (isBare ? hundredths.integer : language.count(hundredths, cents))
  )
}

/** Forms of a currency's name: ours if the language has its own, else those of CLDR. */
function formsOf(currency: string, language: Language): Forms {
  const own = language.currencies[currency]
  if (own !== undefined) return own
  const key = `${language.locale} ${currency}`
  const known = names.get(key)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat(language.locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  })
  const form = (value: number) =>
    format
      .formatToParts(value)
      .map(({ type, value: part }) => (type === 'integer' ? '{0}' : part))
      .join('')
      .replace(/[\u00a0\u202f]/g, ' ')
  // One number for each plural category that any of the languages has.
  const plurals = new Intl.PluralRules(language.locale)
  const forms: Forms = { other: form(100) }
  for (const value of [0, 1, 2, 3, 11]) {
    const category = plurals.select(value)
    if (category !== 'other') forms[category] ??= form(value)
  }
  names.set(key, forms)
  return forms
}

const names = new Map<string, Forms>()
