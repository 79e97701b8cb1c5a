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

/** Source of the end of a word or sign, which a word of the language may directly follow. */
export const wordEnd = ({ postpositions }: Language, more = ''): string => {
  const end = String.raw`(?![\p{L}\p{M}\p{N}${more}])`
  return postpositions === undefined ? end : `(?:${end}|(?=${postpositions}))`
}

/** Escapes a string for use in a pattern with the flag `v` or `u`. */
export const escapeSource = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** Alternatives in a pattern, the longest first. */
export const alternatives = (keys: readonly string[]): string =>
  keys
    .toSorted((one, other) => other.length - one.length)
    .map(escapeSource)
    .join('|')
