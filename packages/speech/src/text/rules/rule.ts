import type { Language } from '../language.ts'
import type { SpokenText } from '../spoken-text.ts'

/** Replaces one kind of writing by words. Takes time linear in the text, because its patterns have bounded lengths. */
export type Rule = (spoken: SpokenText, language: Language) => SpokenText

/** Builds something once per language. */
export function perLanguage<Built>(build: (language: Language) => Built): (language: Language) => Built {
  const built = new Map<Language, Built>()
  return (language) => {
    const known = built.get(language)
    if (known !== undefined) return known
    const fresh = build(language)
    built.set(language, fresh)
    return fresh
  }
}

const isSpaceless = ({ locale }: Language): boolean => /^(?:zh|ja)/.test(locale)

/** Source of the letters, for a class, that make one word with what they touch. Chinese and Japanese have no spaces. */
export const joinedLetters = (language: Language): string =>
  isSpaceless(language) ? String.raw`\p{sc=Latn}` : String.raw`\p{L}`

/** Source of the end of a word or sign, which a word of the language may directly follow. */
export const wordEnd = (language: Language, more = ''): string => {
  const { postpositions } = language
  // As in `1時間30分`.
  const digits = isSpaceless(language) ? '' : String.raw`\p{N}`
  const end = String.raw`(?![${joinedLetters(language)}\p{M}${digits}${more}])`
  return postpositions === undefined ? end : `(?:${end}|(?=${postpositions}))`
}

/** Escapes a string for use in a pattern with the flag `v` or `u`. */
export const escapeSource = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** Matches nothing. */
export const NEVER = /(?!)/u

/** A text that ends with one of the words, `end` and a space. Without words, nothing does. */
export const precededBy = (words: string | undefined, end = ''): RegExp =>
  words === undefined ? NEVER : new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${words})${end} $`, 'iu')

/** Alternatives in a pattern, the longest first. */
export const alternatives = (keys: readonly string[]): string =>
  keys
    .toSorted((one, other) => other.length - one.length)
    .map(escapeSource)
    .join('|')
