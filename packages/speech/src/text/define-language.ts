import type { CalendarDate, Language, SymbolNames } from './language.ts'
import { isTooLong } from './numerals.ts'
import { unitsOf } from './units.ts'

export type LanguageOptions = Partial<Language> & {
  locale: string
  symbols: SymbolNames
  time: Language['time']
  /** Words for a number of things, if digits would have the wrong gender; undefined for digits. */
  agree?: (integer: number, gender: 'masculine' | 'feminine' | 'neuter') => string | undefined
}

/** Hundredths that are read without a name: fewer would be heard as tenths, as in `12 euros 5`. */
export const BARE_CENTS = 10

/** Fills in what most languages have in common: digits that engines read, names from CLDR. */
export function defineLanguage(options: LanguageOptions): Language {
  const { locale, symbols, decimal = '.', agree } = options
  const plurals = new Intl.PluralRules(locale)
  const digits = options.digits ?? ((all) => [...all].join(' '))
  const number =
    options.number ??
    (({ negative, integer, fraction }) =>
      `${negative ? `${symbols.minus} ` : ''}${integer}${fraction === '' ? '' : `${decimal}${fraction}`}`)
  const language: Language = {
    decimal,
    spaceGroups: false,
    dateOrder: 'dmy',
    count(numeral, forms) {
      const category = plurals.select(Number(`${numeral.integer}.${numeral.fraction || '0'}`))
      const form = forms[category] ?? forms.other
      const gender = forms.feminine === true ? 'feminine' : forms.neuter === true ? 'neuter' : 'masculine'
      const words =
        numeral.fraction === '' && numeral.integer.length <= 6
          ? agree?.(Number(numeral.integer), gender)
          : undefined
      const spoken =
        words === undefined
          ? language.number(numeral)
          : `${numeral.negative ? `${symbols.minus} ` : ''}${words}`
      return form.includes('{0}') || !numeral.negative
        ? form.replace('{0}', () => spoken)
        : `${symbols.minus} ${form}`
    },
    date: ({ year, month, day }) => [day, monthName(locale, month), year].filter(Boolean).join(' '),
    readsPairs: false,
    scales: {},
    scaleOf: ' ',
    rupee: 'INR',
    fractions: {},
    ordinal: () => undefined,
    currencies: {},
    dollar: 'USD',
    hundredths: undefined,
    cents: {},
    units: unitsOf(locale),
    abbreviations: {},
    spell: (letters) => [...letters].join(' '),
    ...options,
    digits: (all) => digits(all),
    number: (numeral) => (isTooLong(numeral) ? digits(numeral.integer + numeral.fraction) : number(numeral)),
  }
  return language
}

/** The name of a month as it is written in a date, from CLDR. */
export function monthName(locale: string, month: CalendarDate['month']): string {
  if (month === undefined) return ''
  const date = new Date(Date.UTC(2026, month - 1, 1))
  const parts = monthFormat(locale).formatToParts(date)
  return parts.find(({ type }) => type === 'month')?.value ?? ''
}

const monthFormats = new Map<string, Intl.DateTimeFormat>()

function monthFormat(locale: string): Intl.DateTimeFormat {
  const known = monthFormats.get(locale)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })
  monthFormats.set(locale, format)
  return format
}

/** Writes digits with another zero, such as that of Devanagari. */
export const withDigitsOf = (zero: string, text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))
