import type { Language } from '../language.ts'
import { englishOrdinal } from '../languages/english.ts'
import { replaceMatches, type SpokenText } from '../spoken-text.ts'
import { stopAfter, textAfter, textBefore } from './context.ts'
import { perLanguage, type Rule } from './rule.ts'

const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 }
/** Source of a pattern of numerals below four hundred, none of them `C` or `L` alone, which are rather letters. */
const ROMAN = String.raw`(?=[IVXLC]{2,9}(?![\p{L}\d])|[IVX](?![\p{L}\d]))C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\p{L}\d’'-])`

/** The value of a Roman numeral. In Russian, `Х` may be the letter Ha. */
export const romanValue = (roman: string): number =>
  [...roman.replaceAll('Х', 'X')].reduce((sum, letter, index, all) => {
    const value = VALUES[letter] ?? 0
    return value < (VALUES[all[index + 1] ?? ''] ?? 0) ? sum - value : sum + value
  }, 0)

/** Words before a Roman numeral, which is said as a number. */
const NUMBERED: Readonly<Record<string, string>> = {
  en: 'Chapter|Part|Section|Act|Scene|Volume|Vol\\.|Book|Article|Title|Phase|Type|Stage|Level|Appendix|Annex|Schedule|Episode|World War|WW|Super Bowl|WrestleMania',
  es: '[Cc]apítulo|[Tt]omo|[Pp]arte|[Aa]cto|[Tt]ítulo|Volumen|[Ff]ase|[Aa]nexo',
  pt: '[Cc]apítulo|[Tt]omo|[Pp]arte|[Aa]to|[Tt]ítulo|Volume|[Ff]ase|[Aa]nexo',
  de: 'Kapitel|Band|Teil|Akt|Anhang|Stufe|Phase',
  ru: '[Гг]лава|[Гг]лаве|[Гг]лавы|[Тт]ом|[Чч]асть|[Рр]аздел',
}
/** After these, a letter alone may be the pronoun, `the part I liked`, or the name of a quantity, `the volume V`. */
const NUMBERED_BY_MORE: Readonly<Record<string, string>> = {
  en: 'chapter|part|section|act|volume|phase|type|stage|title',
  es: 'volumen',
  pt: 'volume',
}
/** Names of rulers, after which a numeral is an ordinal in English. */
const RULERS =
  'Henry|Louis|Elizabeth|Charles|George|Edward|James|William|Richard|Philip|Francis|John Paul|Paul|Pius|Benedict|Leo|Gregory|Clement|Innocent|Alexander|Nicholas|Catherine|Peter|Frederick|Wilhelm|Rames(?:s)?es|Ptolemy|Napoleon|Juan Carlos|Felipe|Mary|John'
/** After `I`, which may be the pronoun. */
const NO_VERB = String.raw`(?=$|[.,;:!?)’]|\sof(?!\p{L})|\s(?:and|or|to|y|e|a|und|bis|и) (?:(?:${RULERS}) )?[IVX]{1,4}(?!\p{L}))`

/** Centuries, with the words before their number. */
const CENTURY: Readonly<Record<string, string>> = {
  es: String.raw`(?:(?<words>[Ss]iglos?) |(?<!\p{L})(?<short>ss?)\. ?)`,
  pt: String.raw`(?:(?<words>[Ss]éculos?) |(?<!\p{L})(?<short>[Ss]écs?)\. ?)`,
}
const CENTURY_WORDS: Readonly<Record<string, string>> = { es: 'siglo', pt: 'século' }
const FIRST_TEN: Readonly<Record<string, readonly string[]>> = {
  es: 'primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo'.split(' '),
  pt: 'primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo'.split(' '),
}

const SHORT_CENTURY = /(?<!\p{L})(?:ss?|[Ss]écs?)\.$/u
const AFTER_SHORT_CENTURY = /^\s?[IVX]{1,6}(?!\p{L})/u

/** Whether a text ends with a short word for a century, of which the number follows: `s. XX`. */
export const centuryGoesOn = (tail: string, after: string, language: string): boolean =>
  /^(?:es|pt)/i.test(language) && AFTER_SHORT_CENTURY.test(after) && SHORT_CENTURY.test(tail)

/** The first of two numerals: `Type I and II`. */
const JOINED = '[IVXLC]{1,6}(?: (?:and|or|to|y|e|a|und|bis|и) | ?[-–] ?)'

const patternsOf = perLanguage(({ locale }) => {
  const base = locale.slice(0, 2)
  const [numbered, more, century] = [NUMBERED[base], NUMBERED_BY_MORE[base], CENTURY[base]]
  const name = (words: string, more = '') => String.raw`(?<=(?<![\p{L}\p{M}])(?:${words}) ${more})`
  return {
    base,
    numbered:
      numbered === undefined
        ? undefined
        : new RegExp(
            `(?:${name(numbered)}|${name(numbered, JOINED)}(?=[IVXLC]{2})${more === undefined ? '' : `|${name(more)}(?=[IVXLC]{2})`})${ROMAN}`,
            'gu',
          ),
    century:
      century === undefined
        ? undefined
        : new RegExp(
            String.raw`(?<![\p{L}\p{M}])${century}(?<from>${ROMAN})(?:(?<join> ?[-–] ?| (?:y|e|a|al|ao) )(?<until>${ROMAN}))?`,
            'gu',
          ),
    rulers: base === 'en' ? new RegExp(name(RULERS) + ROMAN + String.raw`(?!\. \p{Lu})`, 'gu') : undefined,
    ordinal: base === 'en' ? new RegExp(String.raw`(?<![\p{L}\p{N}])${ROMAN}(?= century)`, 'gu') : undefined,
  }
})

/** Endings of an ordinal by the form of the word for a century. */
const RUSSIAN_ENDINGS: Readonly<Record<string, readonly [suffix: string, word: string]>> = {
  век: ['-й', 'век'],
  века: ['-го', 'века'],
  веке: ['-м', 'веке'],
  веку: ['-му', 'веку'],
  веков: ['-го', 'веков'],
}
const RUSSIAN_CENTURY =
  /(?<![\p{L}\p{N}])(?:(?<from>[IVXХ]{1,6}) ?[-–] ?)?(?<until>[IVXХ]{1,6}|[1-9]\d?(?= (?:веке|в\.))) (?<word>век[аеу]?|веков|вв?\.)(?!\p{L})/gu

const speakRussianCenturies = (spoken: SpokenText, language: Language): SpokenText =>
  replaceMatches(spoken, RUSSIAN_CENTURY, (match) => {
    const { from, until = '', word = '' } = match.groups ?? {}
    const isIn = /(?:^|\s)во?\s$/iu.test(textBefore(match))
    // Elsewhere, digits count centuries.
    if (/^\d/.test(until) && !isIn) return undefined
    const full = word === 'в.' ? (isIn ? 'веке' : 'века') : word
    const [suffix, noun] =
      word === 'вв.'
        ? isIn
          ? (['-м', 'веках'] as const)
          : (['-го', 'веков'] as const)
        : (RUSSIAN_ENDINGS[full] ?? ['', full])
    const say = (roman: string) =>
      language.ordinal(/^\d/.test(roman) ? Number(roman) : romanValue(roman), suffix, '') ?? roman
    return `${from === undefined ? '' : `${say(from)} – `}${say(until)} ${noun}${stopAfter(match)}`
  })

/** Reads Roman numerals where a word says that they are: `Chapter IV`, `Henry VIII`, `siglo XX`, `в XX веке`. */
export const speakRoman: Rule = (spoken, language) => {
  // In Russian, an ordinal of digits may count centuries, too.
  if (!(language.locale === 'ru' ? /[IVXLCХ]|\d ве?к?/ : /[IVXLC]/).test(spoken.text)) return spoken
  const { base, numbered, century, rulers, ordinal } = patternsOf(language)
  if (base === 'ru') {
    const said = speakRussianCenturies(spoken, language)
    return /[IVXLC]/.test(said.text) ? sayNumbered(said, numbered) : said
  }
  const centuries = replaceMatches(spoken, century, ({ groups = {} }) => {
    const { words, short = '', from = '', join = '', until } = groups
    const say = (roman: string) => {
      const value = romanValue(roman)
      return FIRST_TEN[base]?.[value - 1] ?? String(value)
    }
    const isMany = short === 'ss' || (/s$/i.test(short) && short.length > 1)
    const name = words ?? `${CENTURY_WORDS[base]}${isMany ? 's' : ''}`
    const to = /[-–]/.test(join) ? ` ${language.symbols.to} ` : join
    return `${name} ${say(from)}${until === undefined ? '' : to + say(until)}`
  })
  const ruled = replaceMatches(centuries, rulers, (match) =>
    isPronoun(match) || (/^[VX]$/.test(match[0]) && COMMON.test(textBefore(match)))
      ? undefined
      : `the ${englishOrdinal(romanValue(match[0]))}`,
  )
  const ordinals = replaceMatches(ruled, ordinal, ([roman]) => englishOrdinal(romanValue(roman)))
  return sayNumbered(ordinals, numbered)
}

const NUMERAL_GOES_ON = new RegExp(`^${NO_VERB}`, 'u')
const isPronoun = (match: RegExpExecArray): boolean =>
  match[0] === 'I' && !NUMERAL_GOES_ON.test(textAfter(match, 24)) && !textBefore(match).endsWith('World War ')

/** Names that an initial may follow, too: `John V`. */
const COMMON = /(?:John|Mary|Paul|James|William|Richard|Peter|Francis|Alexander|Elizabeth|Catherine) $/u

const sayNumbered = (spoken: SpokenText, pattern: RegExp | undefined): SpokenText =>
  replaceMatches(spoken, pattern, (match) => (isPronoun(match) ? undefined : String(romanValue(match[0]))))
