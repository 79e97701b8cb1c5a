import type { Language } from '../language.ts'
import { ARABIC } from './arabic.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { INDIC } from './indic.ts'
import { JAPANESE } from './japanese.ts'
import { PORTUGUESE } from './portuguese.ts'
import { RUSSIAN } from './russian.ts'
import { SPANISH } from './spanish.ts'
import { SWAHILI_LANGUAGES } from './swahili.ts'

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...ENGLISH,
  ...INDIC,
  ...FRENCH,
  ...SPANISH,
  ...PORTUGUESE,
  ...SWAHILI_LANGUAGES,
  ...JAPANESE,
  ...GERMAN,
  ...CHINESE,
  ...ARABIC,
  ...RUSSIAN,
}

/** Regions in which English has the month before the day, as in the United States. */
const MONTH_FIRST = /^en(?:-(?:us|ca|ph|pr))?$/

/**
 * Finds the rules of a BCP-47 tag: those of the tag, else of the first with its language, of English those of Britain for most
 * regions; undefined for other languages.
 */
export function languageOf(tag: string): Language | undefined {
  const wanted = tag.toLowerCase()
  const [base = ''] = wanted.split('-')
  const tags = Object.keys(LANGUAGES)
  const found =
    tags.find((known) => known.toLowerCase() === wanted) ??
    (base === 'en' && !MONTH_FIRST.test(wanted)
      ? 'en-GB'
      : tags.find((known) => known.toLowerCase().startsWith(`${base}-`)))
  return found === undefined ? undefined : LANGUAGES[found]
}

/** Whether `toSpokenText` puts numbers, dates and the like of a language into words: those of its tag, or of its primary language. */
export const hasTextRules = (tag: string): boolean => languageOf(tag) !== undefined

/** Tags of the languages that have rules. */
export const SPOKEN_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)
