import { wholeNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { englishYear } from '../languages/english.ts'
import { DESCRIBED, ENDED, ENTERED, FOLLOWED, NAMED, WORD_START } from './code-words.ts'
import { textBefore } from './context.ts'
import { sayGroups, speakIdentifiers } from './identifiers.ts'
import type { Rule } from './rule.ts'

/** Up to three letters before the digits, or a mask for other digits: `XK4921`, `G-482913`, `XXXX4821`. */
const LETTERS = String.raw`(?<letters>(?<![A-Za-z])(?:[A-Za-z]{1,3}-?|X{4,12})(?=\d{4,9}(?![\p{L}\d-])))?`
const GROUPS = [
  String.raw`\d{3} \d{3}(?: \d{3}){0,2}(?! ?\d)${ENDED}`,
  String.raw`\d{4}(?: \d{4}){1,4}(?! ?\d)`,
  String.raw`\d{3} \d{2} \d{4}(?! ?\d)`,
  String.raw`\d{1,9}(?:-\d{1,9}){0,5}`,
]
const NUMBER = String.raw`${LETTERS}(?:${GROUPS.join('|')})(?![\d%-]|[.,:/]\d)`
/** No part of another number, and no amount. */
const ALONE = String.raw`(?<![\p{sc=Latn}\p{sc=Cyrl}\p{sc=Arab}\p{M}\d.,:/+$€£₹-]|[$€£₹] )`
/** Kodi is also a tax or a rent in Swahili, which are rounder. */
const KODI = String.raw`(?<=(?<!\p{L})kodi (?:yako )?(?:ni )?)\d{4}(?!00)\d{2}(?!\d|[.,]\d)`
/** Looked at before the longer patterns of what precedes a code. */
const STARTS = String.raw`(?<!\d)(?=[A-Z]{0,12}-?\d)`
const CODES = [
  String.raw`${STARTS}(?<=${NAMED})${NUMBER}`,
  String.raw`${STARTS}(?<=${DESCRIBED})${NUMBER}${ENDED}`,
  String.raw`${ALONE}(?<letters>[A-Z]{1,3}-(?=\d{4,9}))?${FOLLOWED}`,
  String.raw`(?<![\p{L}\d-])(?<letters>G-)\d{6}(?![\p{L}\d-])`,
  ENTERED,
  KODI,
].map((source) => new RegExp(source, 'giu'))

/** Fewer digits are rather a number: `code 200`. */
const LEAST_DIGITS = 4
/** As many digits as a code has, which few sentences have: looked for first, for speed. */
const ENOUGH_DIGITS = new RegExp(String.raw`\d(?:[ -]?\d){${LEAST_DIGITS - 1}}`)

/**
 * Reads codes digit by digit, with a pause between their groups: numbers of four digits or more beside a word that says so,
 * as in `code is 4821` and `4821 is your OTP`, with up to three letters before them: `code XK4921`.
 */
export const speakCodes: Rule = (spoken, language) => {
  if (!/\d\d/.test(spoken.text)) return spoken
  const identified = speakIdentifiers(spoken, language)
  if (!ENOUGH_DIGITS.test(identified.text)) return identified
  return CODES.reduce(
    (text, pattern) =>
      replaceMatches(text, pattern, ({ 0: written, groups: { letters = '' } = {} }) => {
        const digits = written.slice(letters.length)
        if (digits.replace(/\D/g, '').length < LEAST_DIGITS) return undefined
        const prefix = letters === '' ? '' : `${language.spell(letters.replace('-', '').toUpperCase())} `
        return prefix + sayGroups(digits, language)
      }),
    identified,
  )
}

const VERSION = new RegExp(
  String.raw`(?<=${WORD_START}(?:[Vv]ersion|[Vv]ersión|[Vv]ersão|[Вв]ерси[яиюей]|संस्करण|バージョン|版本|Android|iOS|Python)\s?)\d{1,4}(?:\.\d{1,4}){1,3}(?![\d]|[.,]\d)`,
  'gu',
)

/** Reads the parts of a version by themselves: `Version 2.10` is no decimal number. */
export const speakVersions: Rule = (spoken, language) =>
  replaceMatches(spoken, VERSION, ([written]) =>
    written
      .split('.')
      .map((integer) => language.number(wholeNumeral(integer)))
      .join(` ${language.symbols.dot} `),
  )

const DECADES = 'tens twenties thirties forties fifties sixties seventies eighties nineties'.split(' ')
const YEAR =
  /(?<=(?<![\p{L}\p{M}])(?:[Ii]n|[Ss]ince|[Uu]ntil|[Yy]ear|[Cc]irca|early|late) )(?:1[5-9]\d\d(?![\d%\p{L}]|[.,:/-]\d)|20[1-9]\d(?=$|[.,;:!?)](?!\d)|\s\p{Lu}\p{Ll}|\s(?:I|a|about|after|an|and|as|at|because|before|but|by|for|from|has|have|he|his|if|in|is|it|its|my|of|on|or|our|she|that|the|their|there|they|this|to|under|was|we|were|when|which|while|who|will|with|you|your)(?![\p{L}\d])))/gu
const DECADE =
  /(?<![\p{L}\d.,$€£])(?:(?<century>1[5-9]|20)|(?<=(?:the|early|late|mid|his|her|their|my)[ -]|0s to )['’]?(?!1)|['’](?!1))(?<decade>[1-9])0s(?![\p{L}\d])/gu

/** Between decades: `1960s-80s`. */
const DECADES_BETWEEN = / ?[-–](?<=\d0s ?[-–]) ?(?=['’]?(?:1[5-9]|20)?[2-9]0s(?![\p{L}\d]))/gu

/** Two numbers that are rather years: `1990–2000`, `1939-45`. Quantities such as `1650-1750 calories` are read in the same way. */
const YEARS =
  /(?<![\p{L}\d.,$€£:/-])(?<from>1[5-9]\d\d|20[1-9]\d) ?[-–] ?(?<until>(?:1[5-9]|20)\d\d|[1-9]\d)(?![\d\p{L}]|[.,:/-]\d| ?[%€$£°-])/gu

/** Before years of which the second one is short: elsewhere they are rather a number of something, `case 2019-55`. */
const BEFORE_YEARS = /(?<!\p{L})(?:[Tt]he|[Ii]n|[Dd]uring|[Ww]ar|Krieg|Jahren?) $|\($/u

/** Reads ranges of years, and in English years after a word that says so, and decades: `1990–2000`, `in 1999`, `the 1990s`. */
export const speakYears: Rule = (spoken, language) => {
  const { locale, symbols } = language
  if (!/^(?:en|de)/.test(locale)) return spoken
  const ranges = replaceMatches(spoken, YEARS, (match) => {
    const { groups = {} } = match
    const [from, until] = [Number(groups['from']), Number(groups['until'])]
    const isShort = until < 100
    if ((isShort ? from % 100 : from) >= until) return undefined
    if (isShort && !BEFORE_YEARS.test(textBefore(match))) return undefined
    return `${language.date({ year: from }, '')} ${symbols.to} ${isShort ? until : language.date({ year: until }, '')}`
  })
  if (locale === 'de') return ranges
  const decades = replaceMatches(ranges, DECADES_BETWEEN, () => ` ${symbols.to} `)
  const years = replaceMatches(decades, YEAR, ([written]) => englishYear(Number(written)))
  return replaceMatches(years, DECADE, ({ groups = {} }) => {
    const name = DECADES[Number(groups['decade']) - 1] ?? ''
    return groups['century'] === undefined ? name : `${groups['century']} ${name}`
  })
}
