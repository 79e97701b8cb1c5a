import { replaceMatches } from '../spoken-text.ts'
import { englishYear } from '../languages/english.ts'
import { alternatives, type Rule } from './rule.ts'

/** Words before a number that is read digit by digit, in the languages that have rules. */
const NAMES = [
  ...'otp pin zip isbn cvv cvc ssn pnr code passcode password código contraseña clave senha passwort kennwort msimbo nenosiri'.split(
    ' ',
  ),
  ...'код пин пароль ओटीपी पिन कोड पासवर्ड コード 暗証番号 代码 代碼 验证码 驗證碼 密码 密碼 رمز الرمز'.split(
    ' ',
  ),
  ...['account', 'card', 'order', 'booking', 'reference', 'tracking', 'confirmation'].map(
    (what) => `${what} number`,
  ),
  'ending in',
  'ending with',
  'last four digits',
  'mot de passe',
  'खाता नम्बर',
  'खाता नं.',
  'आखिरी अंक',
  'अंतिम अंक',
]
/** Words between such a name and its number. */
const LINKS = 'is number no. es est é ist lautet ni है हैं हो are नम्बर नंबर は 是 هو'.split(' ')
/** Source of the start of a word. Chinese and Japanese have no spaces before words. */
const WORD_START = String.raw`(?<!(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}])`
const CODE = new RegExp(
  String.raw`(?<=${WORD_START}(?:${alternatives(NAMES)})(?:\s?(?:${alternatives(LINKS)})){0,2}\s?[:：]?\s?)(?<letters>(?<![A-Za-z])[A-Za-z]{1,3}(?=\d{4,9}(?![\p{L}\d-])))?\d{1,9}(?:-\d{1,9}){0,5}(?![\d%-]|[.,:/]\d)`,
  'giu',
)

/** Fewer digits are rather a number: `code 200`. */
const LEAST_DIGITS = 4

/**
 * Reads codes digit by digit, with a pause between their groups: numbers of four digits or more after a word that says so, such as `OTP`
 * and `code is`, with up to three letters before them: `code XK4921`.
 */
export const speakCodes: Rule = (spoken, language) =>
  replaceMatches(spoken, CODE, ({ 0: written, groups: { letters = '' } = {} }) =>
    written.replaceAll('-', '').length < LEAST_DIGITS
      ? undefined
      : (letters === '' ? '' : `${language.spell(letters.toUpperCase())} `) +
        written
          .slice(letters.length)
          .split('-')
          .map((group) => language.digits(group))
          .join(', '),
  )

const VERSION = new RegExp(
  String.raw`(?<=${WORD_START}(?:[Vv]ersion|[Vv]ersión|[Vv]ersão|[Вв]ерси[яиюей]|संस्करण|バージョン|版本|Android|iOS|Python)\s?)\d{1,4}(?:\.\d{1,4}){1,3}(?![\d]|[.,]\d)`,
  'gu',
)

/** Reads the parts of a version by themselves: `Version 2.10` is no decimal number. */
export const speakVersions: Rule = (spoken, language) =>
  replaceMatches(spoken, VERSION, ([written]) =>
    written
      .split('.')
      .map((integer) => language.number({ negative: false, integer, fraction: '' }))
      .join(` ${language.symbols.dot} `),
  )

const DECADES = [
  '',
  'tens',
  'twenties',
  'thirties',
  'forties',
  'fifties',
  'sixties',
  'seventies',
  'eighties',
  'nineties',
]
const YEAR =
  /(?<=(?<![\p{L}\p{M}])(?:[Ii]n|[Ss]ince|[Uu]ntil|[Yy]ear|[Cc]irca|early|late) )(?:1[5-9]\d\d(?![\d%\p{L}]|[.,:/-]\d)|20[1-9]\d(?=$|[.,;:!?)](?!\d)|\s\p{Lu}\p{Ll}|\s(?:I|a|about|after|an|and|as|at|because|before|but|by|for|from|has|have|he|his|if|in|is|it|its|my|of|on|or|our|she|that|the|their|there|they|this|to|under|was|we|were|when|which|while|who|will|with|you|your)(?![\p{L}\d])))/gu
const DECADE =
  /(?<![\p{L}\d.,$€£])(?:(?<century>1[5-9]|20)|(?<=(?:the|early|late|mid|his|her|their|my)[ -]|0s to )['’]?(?!1)|['’](?!1))(?<decade>[1-9])0s(?![\p{L}\d])/gu

/** Between decades: `1960s-80s`. */
const DECADES_BETWEEN = / ?[-–](?<=\d0s ?[-–]) ?(?=['’]?(?:1[5-9]|20)?[2-9]0s(?![\p{L}\d]))/gu

/** Two numbers that are rather years. Quantities such as `1650-1750 calories` are read in the same way. */
const YEARS =
  /(?<![\p{L}\d.,$€£:/-])(?<from>1[5-9]\d\d|20[1-9]\d) ?[-–] ?(?<until>(?:1[5-9]|20)\d\d)(?![\d\p{L}]|[.,:/-]\d| ?[%€$£°-])/gu

/** Reads ranges of years, and in English years after a word that says so, and decades: `1990–2000`, `in 1999`, `the 1990s`. */
export const speakYears: Rule = (spoken, language) => {
  const { locale, symbols } = language
  if (!/^(?:en|de)/.test(locale)) return spoken
  const ranges = replaceMatches(spoken, YEARS, ({ groups = {} }) => {
    const [from, until] = [Number(groups['from']), Number(groups['until'])]
    return from < until
      ? `${language.date({ year: from }, '')} ${symbols.to} ${language.date({ year: until }, '')}`
      : undefined
  })
  if (locale === 'de') return ranges
  const decades = replaceMatches(ranges, DECADES_BETWEEN, () => ` ${symbols.to} `)
  const years = replaceMatches(decades, YEAR, ([written]) => englishYear(Number(written)))
  return replaceMatches(years, DECADE, ({ groups = {} }) => {
    const name = DECADES[Number(groups['decade'])] ?? ''
    return groups['century'] === undefined ? name : `${groups['century']} ${name}`
  })
}
