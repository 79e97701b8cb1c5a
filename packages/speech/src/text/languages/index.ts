import type { Language } from '../language.ts'
import { ARABIC } from './arabic.ts'
import { CHINESE, CHINESE_REGIONS } from './chinese.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { INDIC } from './indic.ts'
import { JAPANESE } from './japanese.ts'
import { PORTUGUESE } from './portuguese.ts'
import { RUSSIAN } from './russian.ts'
import { SPANISH, SPANISH_REGIONS } from './spanish.ts'
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

/** Regions that are spoken like one of those above, except for what their rules say. */
const REGIONS: Readonly<Record<string, Language>> = { ...SPANISH_REGIONS, ...CHINESE_REGIONS }

/** Regions in which English has the month before the day, as in the United States: those of CLDR, and Canada. */
const MONTH_FIRST = new Set('as ca gu mh mp ph pr um us vi'.split(' '))

const TAG = /^(?<base>[a-z]+)(?:-(?<script>[a-z]{4}))?(?:-(?<region>[a-z]{2}|\d{3}))?(?![^-])/

const byTag = new Map(
  Object.entries({ ...REGIONS, ...LANGUAGES }).map(([tag, rules]) => [tag.toLowerCase(), rules]),
)

/**
 * Finds the rules of a BCP-47 tag: those of its language and region, else of the first with its language, of English those of Britain and of
 * Portuguese those of Portugal for most regions; undefined for other languages.
 */
export function languageOf(tag: string): Language | undefined {
  const { base = '', script, region } = TAG.exec(tag.toLowerCase())?.groups ?? {}
  const own = region === undefined ? undefined : byTag.get(`${base}-${region}`)
  if (own !== undefined) return own
  if (base === 'en' && region !== undefined && !MONTH_FIRST.has(region)) return LANGUAGES['en-GB']
  if (base === 'pt' && region !== undefined) return LANGUAGES['pt-PT']
  if (base === 'zh' && script === 'hant') return LANGUAGES['zh-TW']
  const first = Object.keys(LANGUAGES).find((known) => known.startsWith(`${base}-`))
  return first === undefined ? undefined : LANGUAGES[first]
}

/** Whether `toSpokenText` puts numbers, dates and the like of a language into words: those of its tag, or of its primary language. */
export const hasTextRules = (tag: string): boolean => languageOf(tag) !== undefined

/** Tags of the languages that have rules. */
export const SPOKEN_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)
