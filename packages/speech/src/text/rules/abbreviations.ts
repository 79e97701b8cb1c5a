import { replaceMatches } from '../spoken-text.ts'
import { escapeSource, perLanguage, type Rule } from './rule.ts'

interface Abbreviations {
  pattern: RegExp
  full: ReadonlyMap<string, string>
}

const FOLLOWED: readonly (readonly [mark: string, lookahead: string])[] = [
  [' #', String.raw`(?=\s?\d)`],
  [' Aa', String.raw`(?=\s\p{Lu})`],
]

const abbreviationsOf = perLanguage(({ abbreviations }): Abbreviations | undefined => {
  const full = new Map<string, string>()
  const sources: string[] = []
  const entries = Object.entries(abbreviations).toSorted(([one], [other]) => other.length - one.length)
  for (const [key, value] of entries) {
    const [mark = '', lookahead = ''] = FOLLOWED.find(([ending]) => key.endsWith(ending)) ?? []
    const written = key.slice(0, key.length - mark.length)
    const start = written.startsWith('~') ? String.raw`(?<=\p{Ll}{2})` : String.raw`(?<![\p{L}\p{M}\p{N}])`
    const plain = written.replace('~', '')
    full.set(plain, value.slice(0, value.length - mark.length))
    sources.push(
      `${start}${escapeSource(plain)}${lookahead}${plain.endsWith('.') ? '' : String.raw`(?![\p{L}\p{M}])`}`,
    )
  }
  return sources.length === 0 ? undefined : { full, pattern: new RegExp(sources.join('|'), 'gu') }
})

/** The text after an abbreviation whose full stop ends the sentence, too. */
export const ENDS_SENTENCE = /^["'”’)\]]*(?:\s+["'“‘(]*\p{Lu}|\s*$)/u

/** Writes abbreviations in full. */
export const speakAbbreviations: Rule = (spoken, language) => {
  const known = abbreviationsOf(language)
  if (known === undefined) return spoken
  return replaceMatches(spoken, known.pattern, ({ 0: written, index }) => {
    const full = known.full.get(written)
    if (full === undefined) return undefined
    const end = index + written.length
    const after = spoken.text.slice(end, end + 16)
    const words = full.replace(/\.$/, '')
    const mayEnd = full.endsWith('.') || /^["'”’)\]]*\s*$/.test(spoken.text.slice(end, end + 64))
    if (mayEnd && written.endsWith('.') && ENDS_SENTENCE.test(after)) return `${words}.`
    return /^\p{L}/u.test(after) && written.endsWith('.') ? `${words} ` : words
  })
}

const INITIALS = /(?<![\p{L}\p{N}.]|\d\s)(?:\p{Lu}\.\s?){1,5}(?=\p{Lu}\p{Ll})/gu

/** Takes the full stops out of the initials of a name, at which engines would pause. */
export const speakInitials: Rule = (spoken) =>
  replaceMatches(spoken, INITIALS, ([written]) => {
    const letters = written.match(/\p{Lu}/gu) ?? []
    // Alone, `A` would be the article.
    return letters.length === 1 && letters[0] === 'A' ? undefined : `${letters.join(' ')} `
  })

/** Acronyms with vowels that are spelled all the same. */
const SPELLED = new Set(
  'AI API ATM CEO CFO CTO DIY EMI EU EUR FAQ GPA HIV IBM ICU ID IOS IP ISO KYC OTP QA UAE UI UK UN URL USA USB USD USSD UX VIP'.split(
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

/** Reads `&` between words. */
export const speakSymbols: Rule = (spoken, language) =>
  replaceMatches(spoken, /(?<=\s)&(?=\s)/g, () => language.symbols.and)
