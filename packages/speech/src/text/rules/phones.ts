import { wholeNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { joinedLetters, perLanguage, type Rule } from './rule.ts'

const FORMS = [
  // International, as in E.164 or ITU-T E.123.
  String.raw`\+\d{1,3}(?:[ .\u00a0-]?\(?\d{1,12}\)?){1,6}`,
  // With an area code in parentheses, or with the trunk prefix 0.
  String.raw`(?:0 |1[ -])?\(\d{2,5}\)[ .-]?(?:\d{6,8}|\d{2,5}(?:[ .-]\d{2,5}){0,3})`,
  // Not groups of a number: `1 034 068 200`.
  String.raw`(?!(?<=\d[ \u00a0])0\d\d(?:[ \u00a0]\d{3}){1,4}(?![ \u00a0]?\d))0\d{1,4}(?:[ .\u00a0-]\d{2,8}){1,5}`,
  // North American.
  String.raw`(?:1[ .-])?\d{3}([ .-])\d{3}\1\d{4}`,
  String.raw`\d{3}-\d{4}`,
  // With an area code, ten or eleven digits in all, unless they are rather two round numbers.
  String.raw`(?=[\d-]{11,12}(?![\d-]))\d{3,5}-(?!\d{3,5}000(?!\d))\d{6,8}`,
  // Codes in groups, such as card numbers.
  String.raw`\d{3,6}(?:-\d{3,6}){2,6}|\d{4}(?: \d{4}){2,4}`,
  // National numbers: of the United States, of citizenships of Nepal (`1660-01-12345`), and of Brazil.
  String.raw`\d{2,4}-\d{2}-\d{2}-\d{4,6}|\d{2,4}-\d{2}-\d{4,6}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}`,
]
/** Nine digits in threes, in countries that write telephone numbers so. With a currency they are an amount. */
const IN_THREES = String.raw`[2-9]\d{2} \d{3} \d{3}(?! \d| ?(?:[$€£%]|euros|reais|pesos|dólares))`
/** Numbers of Brazil, with an area code or as those of mobile phones begin. */
const BRAZILIAN = String.raw`\d{2} 9?\d{4}-\d{4}|9\d{4}-\d{4}`
const phonesOf = perLanguage((language) => {
  const threes = /^(?:es|pt)/.test(language.locale) ? [IN_THREES] : []
  const forms = [...threes, ...(language.locale === 'pt' ? [BRAZILIAN] : []), ...FORMS]
  return new RegExp(
    String.raw`(?<![${joinedLetters(language)}\d.,/:+$€£-])(?:${forms.join('|')})(?![\d]|[-.,/:]\d)`,
    'gu',
  )
})
/** North American numbers that end in words: `1-800-FLOWERS`, `1-800-GO-2-PARK`. */
const PHONE_WORD =
  /(?<![\p{L}\d-])(?:(?:1-)?[2-9]\d{2}-[A-Z]{4,10}|1-8\d\d(?=[\d-]{1,9}[A-Z])(?=(?:-?[A-Z\d]){7,11}(?![A-Z\d-]))(?:-[A-Z\d]{1,7}){1,4})(?![\p{L}\d-])/gu
/** The number of a desk, after a telephone number: `800.555.0199 x12`. */
const EXTENSION =
  /(?<=\d{3}[ .)-] ?\d{3}[ .-]\d{4}),? ?(?:x|ext\.?|Ext\.?) ?(?<desk>\d{1,6})(?![\d\p{L}]|[.,]\d)/gu
const EXTENSIONS: Readonly<Record<string, string>> = {
  en: 'extension',
  es: 'extensión',
  pt: 'ramal',
  fr: 'poste',
}
const DIGITS = { least: 7, most: 30 } as const
/** What each of these has between its groups. Looked for first, for speed. */
const GROUPED = /\+\d|\d[ .\u00a0)-]{1,2}[(\dA-Z]/

/** Reads telephone and card numbers digit by digit, with a pause between their groups. */
export const speakPhones: Rule = (spoken, language) => {
  if (!GROUPED.test(spoken.text)) return spoken
  const named = replaceMatches(spoken, PHONE_WORD, ([written]) =>
    written
      .split('-')
      .map((part) => (/^\d+$/.test(part) && !part.endsWith('00') ? language.digits(part) : part))
      .join(', '),
  )
  const extension = EXTENSIONS[language.locale.slice(0, 2)]
  const extended = replaceMatches(
    named,
    extension === undefined ? undefined : EXTENSION,
    ({ groups: { desk = '' } = {} }) => `, ${extension} ${desk.length > 2 ? language.digits(desk) : desk}`,
  )
  return replaceMatches(extended, phonesOf(language), ([written]) => {
    const groups = written.match(/\d+/g) ?? []
    const count = groups.join('').length
    if (count < DIGITS.least || count > DIGITS.most) return undefined
    const said = groups.map((digits) =>
      language.readsPairs && digits.length === 2 && !digits.startsWith('0')
        ? language.number(wholeNumeral(digits))
        : language.digits(digits),
    )
    return `${written.startsWith('+') ? `${language.symbols.plus} ` : ''}${said.join(', ')}`
  })
}
