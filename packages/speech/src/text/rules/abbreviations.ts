import { replaceMatches } from '../spoken-text.ts'
import { stopAfter, textAfter, textBefore } from './context.ts'
import { alternatives, perLanguage, type Rule } from './rule.ts'

interface Abbreviation {
  written: string
  full: string
  before: RegExp
  after: RegExp | undefined
}

interface Abbreviations {
  pattern: RegExp
  all: readonly Abbreviation[]
}

/** The marks of what follows an abbreviation, in the table. */
const FOLLOWED: readonly (readonly [mark: string, after: RegExp])[] = [
  [' #', /^\s?\d/],
  [' Aa', /^\s\p{Lu}/u],
  // A word of Devanagari that is no abbreviation.
  [' अ', /^\s?\p{sc=Deva}[\p{L}\p{M}]{1,24}(?![\p{L}\p{M}.])/u],
]
/** In a street address: after a house number and up to three capitalized words or numbers, none of them a month. */
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'
const AFTER_STREET = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\d{1,5}(?:[A-Za-z]| hundred)? (?:(?:(?:St|Mt|Ft)\.|(?!(?:${MONTH})(?!\p{L}))\p{Lu}[\p{L}'’-]{0,24}|\d{1,3}(?:st|nd|rd|th)) ){1,3}$`,
  'u',
)
/** Words that begin a sentence and no name. */
const STARTS =
  'A|An|And|Are|At|But|He|Her|His|How|I|If|In|Is|It|My|On|Our|Please|She|That|The|Their|Then|There|These|They|This|Those|Turn|We|What|When|Where|Who|You|Your'
/** Before no name: `1428 Elm St. It is` goes on with a sentence, `Elm St. John` with a saint. */
export const NO_NAME = new RegExp(
  String.raw`^(?![\p{L}\p{M}]|\s\p{Lu}\p{Ll})|^\s(?:${STARTS})(?![\p{L}\p{M}'’])`,
  'u',
)
/** The marks of what precedes an abbreviation, in the table. */
const PRECEDED: readonly (readonly [mark: string, before: RegExp, after?: RegExp])[] = [
  ['# Aa ', AFTER_STREET, NO_NAME],
  ['Aa ', /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]{1,24} $/u, NO_NAME],
  ['# ', /\d\s?$/],
  // In an address: elsewhere, a preposition would change the form of the word, and a number its meaning.
  [
    ', ',
    /(?:^|[,;:(]\s?|(?:д|корп)\. ?\d{1,4}\p{L}? |(?<!\p{L})(?!(?:Возле|Вокруг|Вдоль|Между|Около|Перед|Под|После|Против|Напротив|Рядом|Внутри|Сзади|Кроме|Мимо) )\p{Lu}\p{Ll}{3,20} )$/u,
  ],
  // In no address.
  ['( ', /(?<!(?:д|дом|корп|корпус|вл)\.? ?\d{1,4}\p{L}?(?:\/\d{1,3})?)(?:^|[,;:(])\s?$/u],
]
/** Within `सि.ई.ओ.` begins no other abbreviation. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}]|\p{sc=Deva}\p{M}{0,3}\.)$/u
/** Text before an abbreviation that its meaning may depend on: a street of an address. */
const BEFORE_UNITS = 90

const abbreviationsOf = perLanguage(({ abbreviations }): Abbreviations | undefined => {
  const entries = Object.entries(abbreviations).toSorted(([one], [other]) => other.length - one.length)
  if (entries.length === 0) return undefined
  const all = entries.map(([key, value]): Abbreviation => {
    const [end = '', follows] = FOLLOWED.find(([ending]) => key.endsWith(ending)) ?? []
    const [start = '', precedes, unless] = PRECEDED.find(([beginning]) => key.startsWith(beginning)) ?? []
    const written = key.slice(start.length, key.length - end.length)
    return {
      written: written.replace('~', ''),
      full: value.slice(0, value.length - end.length),
      before: precedes ?? (written.startsWith('~') ? /\p{Ll}{2}$/u : WORD_START),
      after: unless ?? follows ?? (written.endsWith('.') ? undefined : /^(?![\p{L}\p{M}])/u),
    }
  })
  return { all, pattern: new RegExp(alternatives(all.map(({ written }) => written)), 'gu') }
})

/** Writes abbreviations in full. */
export const speakAbbreviations: Rule = (spoken, language) => {
  const known = abbreviationsOf(language)
  return replaceMatches(spoken, known?.pattern, (match) => {
    const [written] = match
    const [before, after] = [textBefore(match, BEFORE_UNITS), textAfter(match)]
    const full = known?.all.find(
      (one) => one.written === written && one.before.test(before) && one.after?.test(after) !== false,
    )?.full
    if (full === undefined) return undefined
    const words = full.replace(/\.$/, '')
    const mayEnd = full.endsWith('.') || /^["'”’)\]]*\s*$/.test(textAfter(match, 64))
    if (mayEnd && stopAfter(match) !== '') return `${words}.`
    return /^\p{L}/u.test(after) && written.endsWith('.') ? `${words} ` : words
  })
}

const INITIALS = /(?<![\p{L}\p{N}.]|\d\s)(?:\p{Lu}\.\s?){1,5}(?=\p{Lu}\p{Ll})/gu

/** Names of English letters in Devanagari, as they are written in Hindi and Nepali. */
const DEVANAGARI_LETTERS =
  'ए बी बि सी सि डी डि ई इ एफ जी जि एच आई आइ जे के एल एम एन ओ पी पि क्यू आर एस टी टि यू यु वी भी डब्ल्यू डब्लु एक्स वाई वाइ'.split(
    ' ',
  )
const DEVANAGARI_INITIALS = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}.])(?:(?:${alternatives(DEVANAGARI_LETTERS)})\.){2,6}(?![\p{L}\p{M}])`,
  'gu',
)

/** Takes the full stops out of the initials of a name, at which engines would pause. */
export const speakInitials: Rule = (spoken) =>
  replaceMatches(
    replaceMatches(spoken, DEVANAGARI_INITIALS, ([letters]) => letters.slice(0, -1).replaceAll('.', ' ')),
    INITIALS,
    ([written]) => {
      const letters = written.match(/\p{Lu}/gu) ?? []
      // Alone, `A` would be the article.
      return letters.length === 1 && letters[0] === 'A' ? undefined : `${letters.join(' ')} `
    },
  )

/** Acronyms with vowels that are spelled all the same. */
const SPELLED = new Set(
  'AI API ATM BCE CEO CFO CTO DIY EMI EU EUR FAQ GPA HIV IBM ICU ID IOS IP ISBN ISO KYC OTP QA UAE UI UK UN URL USA USB USD USSD UX VIP'.split(
    ' ',
  ),
)
const ACRONYM = /(?<![\p{sc=Latn}\p{N}_.&-])[A-Z]{2,6}(?![\p{sc=Latn}\p{N}_&]|\.[A-Z])/gu

/**
 * Spells acronyms: those that have no vowels, and well-known ones. Other capitals stay, because most are words: `NASA`,
 * `STOP`. Others belong in a lexicon.
 */
export const speakAcronyms: Rule = (spoken, language) =>
  replaceMatches(spoken, ACRONYM, ([written]) =>
    SPELLED.has(written) || !/[AEIOUY]/.test(written) ? language.spell(written) : undefined,
  )

/** The exponent of a power, after its base. */
const POWER = / ?\^(?<=[\p{L}\p{N})\]] ?\^) ?(?<exponent>[\p{L}\p{N}+−-]{1,20})/gu
/** Reads `&` between words, and `^`. */
export const speakSymbols: Rule = (spoken, language) => {
  const { symbols } = language
  const isSpaceless = !symbols.power.includes(' ')
  const powers = replaceMatches(
    spoken,
    POWER,
    ({ groups }) => (isSpaceless ? '' : ' ') + symbols.power.replace('{0}', () => groups?.['exponent'] ?? ''),
  )
  return replaceMatches(powers, /(?<=\s)&(?=\s)/g, () => symbols.and)
}
