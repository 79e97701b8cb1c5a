import { isCode, MINUS_SOURCE, minusSource, numberSource, parseNumeral, wholeNumeral } from '../numerals.ts'
import { textAfter, textBefore } from './context.ts'
import { replaceMatches } from '../spoken-text.ts'
import { isNumbered } from './fractions.ts'
import { romanValue } from './roman.ts'
import { escapeSource, perLanguage, type Rule } from './rule.ts'

const ordinalPattern = perLanguage(({ ordinalSuffix }) =>
  ordinalSuffix === undefined
    ? undefined
    : new RegExp(
        String.raw`(?<![\p{L}\p{N}.,])(?<number>\d{1,3}[. ]?\d{3}|\d{1,4})(?<suffix>${ordinalSuffix})(?![\p{L}\p{N}])`,
        'gu',
      ),
)

/** Centuries in French: `XIVe siècle`. */
const ROMAN_ORDINAL =
  /(?<![\p{L}\p{N}])([IVX]{1,6})(e|ᵉ|ème|er|ère)(?= siècle| arrondissement| édition| anniversaire)/gu

/** The text after an ordinal that its ending may depend on. */
const AFTER_UNITS = 24

/** Reads ordinals that engines read wrongly: `2e`, `3-й`. */
export const speakOrdinals: Rule = (spoken, language) => {
  const ordinals = replaceMatches(spoken, ordinalPattern(language), (match) => {
    const { number: written = '', suffix = '' } = match.groups ?? {}
    const number = Number(written.replace(/\D/, ''))
    return number === 0 ? undefined : language.ordinal(number, suffix, textAfter(match, AFTER_UNITS))
  })
  if (language.locale !== 'fr') return ordinals
  return replaceMatches(
    ordinals,
    ROMAN_ORDINAL,
    ([written, roman = '', suffix = '']) => language.ordinal(romanValue(roman), suffix, '') ?? written,
  )
}

/** Reads numbers together with what they count, in languages in which both change. */
export const speakCounters: Rule = (spoken, { counters = [] }) =>
  counters.reduce((text, { pattern, say }) => replaceMatches(text, pattern, say), spoken)

/** A minus after a particle, as in `気温は-5度`, but none in `資料-2`. */
const AFTER_HIRAGANA = minusSource(String.raw`\p{sc=Latn}\p{sc=Han}\p{sc=Kana}ー`)

const numberPattern = perLanguage(
  (language) =>
    new RegExp(
      String.raw`(?<minus>${language.locale === 'ja' ? AFTER_HIRAGANA : MINUS_SOURCE})(?<ordinal>${escapeSource('第')}?)(?<number>${numberSource(language)})`,
      'gu',
    ),
)

/**
 * Reads all other numbers: without the marks that group them, with a word for the minus, digit by digit if they are codes
 * (`007`), and part by part if they are versions or addresses (`1.2.3`).
 */
export const speakNumbers: Rule = (spoken, language) =>
  replaceMatches(spoken, numberPattern(language), (match) => {
    const { minus = '', number = '', ordinal = '' } = match.groups ?? {}
    const numeral = parseNumeral(minus + number, language)
    // Where both marks are decimal, those of a section or a version are rather none: `القسم 3.10`.
    const isMarked = language.commaIsDecimal === true && /[.,]/.test(number)
    if (isMarked && isNumbered(textBefore(match), language)) return undefined
    const sign = minus === '' ? '' : `${language.symbols.minus} `
    const prefix = ordinal !== '' && language.locale === 'ja' ? 'だい' : ordinal
    if (numeral === undefined) {
      if (/^\d+(?:\.\d+){2,}$/.test(number))
        return (
          sign +
          number
            .split('.')
            .map((part) => sayInteger(part))
            .join(` ${language.symbols.dot} `)
        )
      // A list such as `1,2,3`.
      return sign + number.replace(/\d+/g, (part) => sayInteger(part))
    }
    if (ordinal === '' && /^\d+$/.test(number) && isCode(number))
      return sign + prefix + language.digits(number)
    const isCount = number.includes(',') && language.locale.startsWith('en')
    return prefix + (isCount ? language.count(numeral, { other: '{0}' }) : language.number(numeral))

    function sayInteger(part: string): string {
      return isCode(part) ? language.digits(part) : language.number(wholeNumeral(part))
    }
  })
